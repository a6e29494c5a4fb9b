import { deleteAddresses } from '../../geography/addresses/addresses.repository';
import { loadSavedAddresses, type SavedAddress } from '../../accounts/saved-addresses.repository';
import { authorizeAccountChange } from '../../accounts/users/account-policy';
import {
  findUserGraph,
  hasStaffRole,
  isLastWithRole,
  lockRole,
  lockUser,
  type UserGraph,
} from '../../accounts/users/users.repository';
import { getUser } from '../../accounts/users/users.service';
import { isAdmin } from '../../access/actor';
import { PaymentInProgress } from '../../errors/errors';
import { InvalidResource, NotAuthorized, NotFound } from '../../platform/errors';
import { coversScope } from '../../access/scopes';
import type { Ctx } from '../context';
import { loadOrderGraphs, type CreditCardRow, type OrderGraph } from '../order/order-graph';
import { lockOrdersById } from '../order/order-lock';
import { findCards } from '../payment-processing/credit-cards.repository';
import { withTransactionAfterPayments } from '../payment-processing/retry-after-payments';
import {
  eraseAccount,
  eraseFromOrders,
  findOrdersOfPerson,
  hasRunningPayments,
} from './personal-data.repository';

/** All that the store has about a person. */
export interface PersonalData {
  user: UserGraph;
  addresses: SavedAddress[];
  cards: CreditCardRow[];
  orders: OrderGraph[];
}

/**
 * Returns all that the store has about a user. Staff also get guest orders with the same e-mail address; users do not, because
 * the store does not check that an address is theirs.
 * @throws NotFound unless the actor is that user or an admin; NotAuthorized if the token may not read orders
 */
export async function exportPerson(ctx: Ctx, userId: number): Promise<PersonalData> {
  const user = await getUser(ctx, userId);
  const { actor } = ctx;
  const grants = actor.kind === 'guest' ? [] : isAdmin(actor) ? actor.grants : actor.tokenGrants;
  if (!coversScope(grants, 'orders:read')) throw new NotAuthorized();
  const email = isAdmin(actor) ? user.email : null;
  return {
    user,
    addresses: await loadSavedAddresses(ctx.db, userId),
    cards: await findCards(ctx.db, userId),
    orders: await loadOrderGraphs(ctx.db, await findOrdersOfPerson(ctx.db, { user: userId, email })),
  };
}

/**
 * Replaces what the store has about a person, in the account, in its orders and in guest orders with the same e-mail address, and
 * deletes their mails. Orders and their sums stay. Locks the admin role, the orders and the user. Repeatable.
 * @throws NotFound; NotAuthorized as `authorizeAccountChange`; InvalidResource for the only admin; PaymentInProgress
 */
export async function erasePerson(ctx: Ctx, userId: number): Promise<UserGraph> {
  const { user, before } = await withTransactionAfterPayments(ctx, async (tx) => {
    const known = await findUserGraph(tx, userId);
    if (known === undefined) throw new NotFound();
    const orders = await findOrdersOfPerson(tx, { user: userId, email: known.email });
    await lockOrdersById(tx, orders);
    await lockRole(tx, 'admin');
    const account = await lockUser(tx, userId);
    if (account === undefined) throw new NotFound();
    const target = { id: userId, isStaff: await hasStaffRole(tx, userId) };
    authorizeAccountChange(ctx.actor, target, { password: false, identity: true });
    if (await isLastWithRole(tx, userId, 'admin')) {
      throw new InvalidResource({ base: ['The only admin cannot be erased'] });
    }
    const running = await hasRunningPayments(tx, orders);
    if (running !== null) throw new PaymentInProgress(running);
    const email = `erased-${userId}@erased.invalid`;
    const addresses = await loadSavedAddresses(tx, userId);
    await eraseFromOrders(tx, orders, email);
    await eraseAccount(tx, userId, email);
    await deleteAddresses(
      tx,
      addresses.map(({ id }) => id),
    );
    const user = await findUserGraph(tx, userId);
    if (user === undefined) throw new NotFound();
    return { user, before: account.email };
  });
  await ctx.mailer.forget(before);
  return user;
}
