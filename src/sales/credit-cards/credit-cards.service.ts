import { authorizeAccountChange } from '../../accounts/users/account-policy';
import { hasStaffRole } from '../../accounts/users/users.repository';
import { getUserRow } from '../../accounts/users/users.service';
import type { Ctx } from '../context';
import { NotFound, requireFound } from '../../platform/errors';
import { sendAll, withTransaction, type Tx } from '../../platform/database/transaction';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import type { CreditCardRow } from '../order/order-graph';
import {
  clearDefaultCard,
  findCreditCardPage,
  findSavedCard,
  forgetCard,
  buildDefaultCard,
} from '../payment-processing/credit-cards.repository';
import type { CreditCardChanges } from './credit-cards.schema';

/** Returns one page of a user's saved cards. @throws NotFound unless the actor is that user or an admin */
export async function listCreditCards(
  ctx: Ctx,
  userId: number,
  list: ListQuery,
): Promise<Page<CreditCardRow>> {
  await getUserRow(ctx, userId);
  return findCreditCardPage(ctx.db, list, userId);
}

/** A saved card and its user, as in a path. */
interface OwnedCard {
  user_id: number;
  id: number;
}

/** Makes a saved card the default one of its user, or not. @throws NotFound, NotAuthorized as `changeOf` */
export async function changeCreditCard(
  ctx: Ctx,
  card: OwnedCard,
  changes: CreditCardChanges,
): Promise<CreditCardRow> {
  return changeOf(ctx, card, async (tx) => {
    if (changes.default === true) sendAll(tx, buildDefaultCard(card.user_id, card.id));
    if (changes.default === false) await clearDefaultCard(tx, card.user_id, card.id);
    return requireFound(await findSavedCard(tx, card.user_id, card.id));
  });
}

/**
 * Deletes a saved card; one that payments refer to only loses its user.
 * @throws NotFound, NotAuthorized as `changeOf`
 */
export async function removeCreditCard(ctx: Ctx, card: OwnedCard): Promise<void> {
  await changeOf(ctx, card, (tx) => forgetCard(tx, card.user_id, card.id));
}

/**
 * Runs a change of a saved card. @throws NotFound for an unknown card, and unless the actor is its user or an admin;
 * NotAuthorized for other members of staff who change one of a member of staff
 */
async function changeOf<T>(ctx: Ctx, { user_id, id }: OwnedCard, work: (tx: Tx) => Promise<T>): Promise<T> {
  await getUserRow(ctx, user_id);
  return withTransaction(ctx, async (tx) => {
    const account = { id: user_id, isStaff: await hasStaffRole(tx, user_id) };
    authorizeAccountChange(ctx.actor, account, {});
    if ((await findSavedCard(tx, user_id, id)) === undefined) throw new NotFound();
    return work(tx);
  });
}
