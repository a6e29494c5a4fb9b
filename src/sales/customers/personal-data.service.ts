import { deleteAddresses } from '../../geography/addresses/addresses.repository';
import { loadSavedAddresses, type SavedAddress } from '../../accounts/saved-addresses.repository';
import { authorizeAccountChange } from '../../accounts/users/account-policy';
import {
  findUser,
  findUserByEmail,
  findUserGraph,
  hasStaffRole,
  isLastAdmin,
  lockAdminRole,
  lockUser,
  type UserGraph,
} from '../../accounts/users/users.repository';
import { getUser } from '../../accounts/users/users.service';
import { isAdmin } from '../../access/actor';
import { PaymentInProgress } from '../../errors/errors';
import { InvalidResource, NotAuthorized, requireFound } from '../../platform/errors';
import { coversScope } from '../../access/scopes';
import type { Db } from '../../platform/database/knex';
import { Restart, type Tx } from '../../platform/database/transaction';
import type { Ctx } from '../context';
import { loadOrderGraphs } from '../order/load-order-graph';
import type { CreditCardRow, OrderGraph } from '../order/order-graph';
import { noteOrderUpdates } from '../order/order-events.repository';
import { holdOrders } from '../order/orders.repository';
import { findCards } from '../payment-processing/credit-cards.repository';
import { withTransactionAfterPayments } from '../payment-processing/retry-after-payments';
import { buildErasedEmail } from './erased-email';
import { eraseFromEvents } from './erase-from-events.repository';
import {
  eraseAccount,
  eraseFromOrders,
  findMergedAccounts,
  findNextOrdersOfPerson,
  findOrdersOfPerson,
  findUnfinishedSale,
  hasRunningPayments,
  hideFromAuditLog,
  lockGuestEmails,
  type MergedAccount,
  type Person,
} from './personal-data.repository';

/** All that the store has about a person. */
export interface PersonalData {
  user: UserGraph;
  merged: MergedAccount[];
  addresses: SavedAddress[];
  cards: CreditCardRow[];
  /** By id, in pages; each page is read when it is needed. */
  orders: AsyncIterable<OrderGraph[]>;
}

/** Orders in memory at once during an export. */
const PAGE = 100;

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
  const merged = await findMergedAccounts(ctx.db, userId);
  const emails = isAdmin(actor) ? [user.email, ...merged.map(({ email }) => email)] : [];
  return {
    user,
    merged,
    addresses: await loadSavedAddresses(ctx.db, userId),
    cards: await findCards(ctx.db, userId),
    orders: loadOrdersOfPerson(ctx.db, { user: userId, emails }),
  };
}

/** Each page is a statement of its own, so that a slow reader holds no connection. */
async function* loadOrdersOfPerson(db: Db, person: Person): AsyncGenerator<OrderGraph[]> {
  for (let after = 0; ;) {
    const ids = await findNextOrdersOfPerson(db, person, { after, size: PAGE });
    const last = ids.at(-1);
    if (last === undefined) return;
    yield await loadOrderGraphs(db, ids);
    if (ids.length < PAGE) return;
    after = last;
  }
}

/**
 * Replaces what the store has about a person, in the account, in its orders and in guest orders with the same e-mail address, and
 * deletes their mails. Orders and their sums stay. Locks the orders, the admin role, the user and the e-mail addresses; an order
 * that another transaction places meanwhile is waited for and erased too. Repeatable. `force` erases although the store owes the
 * person paid units, whose address is then lost, or a refund.
 * @throws NotFound; NotAuthorized as `authorizeAccountChange`; InvalidResource for the only admin, and unless `force` while an
 *   order is unfinished; PaymentInProgress
 */
export async function erasePerson(
  ctx: Ctx,
  userId: number,
  { force }: { force: boolean },
): Promise<UserGraph> {
  const { user, emails } = await withTransactionAfterPayments(ctx, async (tx) => {
    const { orders, emails } = await lockPerson(tx, userId);
    const target = { id: userId, isStaff: await hasStaffRole(tx, userId) };
    authorizeAccountChange(ctx.actor, target, { existence: true });
    if (await isLastAdmin(tx, userId)) {
      throw new InvalidResource({ base: ['The only admin cannot be erased'] });
    }
    const running = await hasRunningPayments(tx, orders);
    if (running !== null) throw new PaymentInProgress(running);
    const unfinished = force ? null : await findUnfinishedSale(tx, orders);
    if (unfinished !== null) {
      const state = `Order ${unfinished} has paid units to ship, or owes a refund`;
      throw new InvalidResource({ base: [`${state}. Finish it, or force the erasure`] });
    }
    const email = await chooseErasedEmail(tx, userId);
    const addresses = await loadSavedAddresses(tx, userId);
    await hideFromAuditLog(tx);
    await eraseFromOrders(tx, orders, email);
    const merged = await findMergedAccounts(tx, userId);
    await eraseFromEvents(tx, orders, [userId, ...merged.map(({ id }) => id)]);
    await noteOrderUpdates(tx, orders);
    await eraseAccount(tx, userId, email);
    await deleteAddresses(
      tx,
      addresses.map(({ id }) => id),
    );
    const user = requireFound(await findUserGraph(tx, userId));
    return { user, emails };
  });
  for (const address of emails) await ctx.mailer.forget(ctx.db, address);
  return user;
}

/** Returns the e-mail address of an erased user. Another user may have signed up with it to prevent the erasure. */
async function chooseErasedEmail(tx: Tx, userId: number): Promise<string> {
  const email = buildErasedEmail(userId, { isTaken: false });
  const holder = await findUserByEmail(tx, email);
  if (holder === undefined || holder.id === userId) return email;
  return buildErasedEmail(userId, { isTaken: true });
}

/**
 * Locks a user and all of their orders. @returns the ids of the orders, and the e-mail addresses of the account and of those
 * merged into it
 * @throws NotFound; Restart if an order was placed, or the account changed, before the locks were granted
 */
async function lockPerson(tx: Tx, userId: number): Promise<{ orders: number[]; emails: string[] }> {
  const orders = await findOrdersOfPerson(tx, { user: userId, emails: await findEmails(tx, userId) });
  await holdOrders(tx, orders);
  await lockAdminRole(tx);
  await lockUser(tx, userId);
  const emails = await findEmails(tx, userId);
  await lockGuestEmails(tx, emails);
  const locked = new Set(orders);
  const now = await findOrdersOfPerson(tx, { user: userId, emails });
  if (now.some((id) => !locked.has(id))) throw new Restart();
  return { orders, emails };
}

/** @throws NotFound */
async function findEmails(tx: Tx, userId: number): Promise<string[]> {
  const user = requireFound(await findUser(tx, userId));
  return [user.email, ...(await findMergedAccounts(tx, userId)).map(({ email }) => email)];
}
