import { findUserId, GUEST } from '../../access/actor';
import {
  deleteUser,
  findUserGraph,
  hasStaffRole,
  lockUsers,
  type UserGraph,
} from '../../accounts/users/users.repository';
import { Restart, type Tx } from '../../platform/database/transaction';
import { INVALID, InvalidResource, NotFound, requireFound } from '../../platform/errors';
import type { Ctx } from '../context';
import { buildEditor } from '../order-input/editor';
import { createDraft, patchDraft } from '../order-updater/order-draft';
import { saveRecalculated } from '../order-updater/order-updater';
import { PaymentInProgress } from '../../errors/errors';
import { lockOrder } from '../order/order-lock';
import { findCurrentOrderId, holdOrders } from '../order/orders.repository';
import { authorizeOrderChange } from '../order/sold-order-policy';
import type { Cause } from '../order/state-changes.repository';
import { buildNewOwner } from '../order-input/order-claim';
import { mergeCart } from '../orders/merge-cart';
import { withTransactionAfterPayments } from '../payment-processing/retry-after-payments';
import {
  findAccountAfterMerge,
  findCartIds,
  findOrderIdsOfUser,
  handOverAddresses,
  handOverCards,
  handOverMetadata,
  handOverReferences,
  handOverSoldOrders,
  insertMergedUser,
  type Merging,
} from './merge-accounts.repository';
import { hasRunningPayments } from './personal-data.repository';

/** The ids of two accounts. */
interface Accounts {
  kept: number;
  ended: number;
}

/**
 * Merges an account into another one of the same person: orders, saved addresses, cards and the keys of `metadata` that the kept account
 * lacks become its own, the lines of the older of both current carts move to the newer one as in `associateOrder`, and the other account
 * is deleted with its tokens. Sold orders keep their e-mail address; carts get that of the kept account. All get new tokens. Locks the
 * orders of the ended account and the cart of the kept one, then both users by id. Repeatable: an account that was merged into this one
 * already changes nothing.
 * @throws NotFound; InvalidResource for an unknown account, members of staff, and the account itself; PaymentInProgress
 */
export async function mergeAccounts(ctx: Ctx, accounts: Accounts): Promise<UserGraph> {
  const { user, endedEmail } = await withTransactionAfterPayments(ctx, async (tx) => {
    const merging = await lockAccounts(tx, accounts);
    if (merging !== null) await merge(tx, ctx, merging);
    const user = requireFound(await findUserGraph(tx, accounts.kept));
    return { user, endedEmail: merging?.ended.email ?? null };
  });
  // The links in them no longer work.
  if (endedEmail !== null) await ctx.mailer.forget(ctx.db, endedEmail);
  return user;
}

/**
 * Locks both accounts and what a merge moves. @returns null if the accounts were merged before
 * @throws as `mergeAccounts`; Restart if an order was placed before the account was locked
 */
async function lockAccounts(tx: Tx, accounts: Accounts): Promise<Merging | null> {
  const orders = await findOrderIdsOfUser(tx, accounts.ended);
  const cart = await findCurrentOrderId(tx, accounts.kept);
  await holdOrders(tx, cart === null ? orders : [...orders, cart]);
  const users = await lockUsers(tx, [accounts.kept, accounts.ended]);
  const kept = users.find(({ id }) => id === accounts.kept);
  const ended = users.find(({ id }) => id === accounts.ended);
  if (kept === undefined) throw new NotFound();
  if (ended === undefined && (await findAccountAfterMerge(tx, accounts.ended)) === kept.id) return null;
  if (ended === undefined || kept.id === ended.id) throw new InvalidResource({ user_id: [INVALID] });
  for (const { id } of users) {
    if (await hasStaffRole(tx, id)) throw new InvalidResource({ base: ['Staff accounts cannot be merged'] });
  }
  // No order can refer to a locked account, so this list is final.
  const locked = new Set(orders);
  const now = await findOrderIdsOfUser(tx, ended.id);
  if (now.some((id) => !locked.has(id)) || (await findCurrentOrderId(tx, kept.id)) !== cart) {
    throw new Restart();
  }
  const running = await hasRunningPayments(tx, orders);
  if (running !== null) throw new PaymentInProgress(running);
  return { kept, ended };
}

async function merge(tx: Tx, ctx: Ctx, merging: Merging): Promise<void> {
  const { kept, ended } = merging;
  const cause = { user_id: findUserId(ctx.actor), reason: 'accounts merged' };
  const current = [await findCurrentOrderId(tx, kept.id), await findCurrentOrderId(tx, ended.id)];
  await handOverSoldOrders(tx, merging, { secret: ctx.secret, cause });
  await handOverCarts(tx, merging, { secret: ctx.secret, cause });
  await mergeCurrentCarts(tx, ctx, { carts: current, kept: kept.id, cause });
  await handOverAddresses(tx, merging);
  await handOverCards(tx, merging);
  await handOverMetadata(tx, merging);
  await insertMergedUser(tx, merging);
  await handOverReferences(tx, merging);
  await deleteUser(tx, ended.id);
}

/** Hands over the carts, which are locked. Promotion rules may depend on the buyer. */
async function handOverCarts(
  tx: Tx,
  { kept, ended }: Merging,
  { secret, cause }: { secret: Buffer; cause: Cause },
): Promise<void> {
  for (const id of await findCartIds(tx, ended.id)) {
    const draft = createDraft(await lockOrder(tx, { id }));
    const patched = patchDraft(draft, { ...buildNewOwner(secret, kept.id), email: kept.email }, cause);
    await saveRecalculated(tx, patched, cause);
  }
}

/** Merges the older one of two carts into the newer one, with what any shopper may have in a cart. */
async function mergeCurrentCarts(
  tx: Tx,
  ctx: Ctx,
  { carts, kept, cause }: { carts: readonly (number | null)[]; kept: number; cause: Cause },
): Promise<void> {
  const newer = await findCurrentOrderId(tx, kept);
  const older = carts.find((id) => id !== newer) ?? null;
  if (newer === null || older === null) return;
  const editor = { ...buildEditor(ctx, tx), actor: GUEST, orderToken: null };
  const cart = createDraft(authorizeOrderChange(GUEST, await lockOrder(tx, { id: newer })));
  const merged = await mergeCart(tx, cart, await lockOrder(tx, { id: older }), { editor, cause });
  await saveRecalculated(tx, merged, cause);
}
