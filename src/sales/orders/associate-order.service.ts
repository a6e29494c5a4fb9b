import { identify } from '../../accounts/authenticate';
import type { AssociatedOrder } from '../../accounts/order-reference';
import { buildActor, type Actor } from '../../access/actor';
import { isTokenValid } from '../../access/authorization';
import { takeOrderTokenAttempt } from '../../access/failed-order-tokens';
import { PaymentInProgress } from '../../errors/errors';
import { DomainError, NotAuthorized, NotFound, requireFound } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import type { Ctx } from '../context';
import { buildEditor } from '../order-input/editor';
import { buildNewOwner } from '../order-input/order-claim';
import { createDraft, patchDraft, saveDraft } from '../order-updater/order-draft';
import { saveRecalculated } from '../order-updater/order-updater';
import { loadOrderGraph } from '../order/load-order-graph';
import type { OrderGraph } from '../order/order-graph';
import { lockOrder, type LockedOrderGraph } from '../order/order-lock';
import { deriveOrderToken } from '../order/order-token';
import { findCurrentOrderId, findOrderByNumber, holdOrders, type OrderRow } from '../order/orders.repository';
import { authorizeOrderChange } from '../order/sold-order-policy';
import { withOrderTransaction } from '../payment-processing/retry-after-payments';
import { mergeCart } from './merge-cart';

type Customer = Extract<Actor, { kind: 'customer' }>;

/**
 * Makes a guest's order the order of the signed-in customer, who must present its token. A cart gets their e-mail
 * address, and the lines of their newest older cart (`mergeCart`); a complete order keeps its own. The order token is
 * replaced. Changes nothing if the order is theirs already. Locks both orders by id.
 * @throws NotFound; NotAuthorized for guests, staff, a wrong token and orders of others; PaymentInProgress
 */
export async function associateOrder(ctx: Ctx, number: string): Promise<OrderGraph> {
  const { actor } = ctx;
  if (actor.kind !== 'customer') {
    if ((await findOrderByNumber(ctx.db, number)) === undefined) throw new NotFound();
    throw new NotAuthorized();
  }
  return withOrderTransaction(ctx, number, async (tx) => {
    const found = requireFound(await findOrderByNumber(tx, number));
    if (found.user_id === actor.user_id) return loadOrderGraph(tx, found.id);
    authorizeAssociation(ctx, found);
    const olderId = found.completed_at === null ? await findCurrentOrderId(tx, actor.user_id) : null;
    await holdOrders(tx, olderId === null ? [found.id] : [found.id, olderId]);
    const order = await lockOrder(tx, { number, credentials: ctx });
    if (order.user_id === actor.user_id) return order;
    authorizeAssociation(ctx, order);
    return take(tx, ctx, { actor, order, olderId });
  });
}

function authorizeAssociation({ orderToken }: Pick<Ctx, 'orderToken'>, order: OrderRow): void {
  if (order.user_id !== null || !isTokenValid(orderToken, order.token_hash)) throw new NotAuthorized();
}

async function take(
  tx: Tx,
  ctx: Ctx,
  { actor, order, olderId }: { actor: Customer; order: LockedOrderGraph; olderId: number | null },
): Promise<OrderGraph> {
  const { user_id, email } = actor;
  const cause = { user_id, reason: 'order associated' };
  const owner = buildNewOwner(ctx.secret, user_id);
  if (order.completed_at !== null) {
    return saveDraft(tx, patchDraft(createDraft(order), owner, cause));
  }
  const editor = buildEditor(ctx, tx);
  const cart = patchDraft(createDraft(authorizeOrderChange(actor, order)), { ...owner, email }, cause);
  const older = await findOlderCart(tx, actor, olderId);
  const merged = older === null ? cart : await mergeCart(tx, cart, older, { editor, cause });
  // Promotion rules may depend on the buyer.
  return saveRecalculated(tx, merged, cause);
}

/**
 * Returns the older cart, unless another transaction has deleted, sold or assigned it. Its payment may wait for the buyer or the
 * provider, which can take long.
 * @throws PaymentInProgress while a gateway call for it is running
 */
async function findOlderCart(
  tx: Tx,
  { user_id }: Customer,
  orderId: number | null,
): Promise<LockedOrderGraph | null> {
  if (orderId === null) return null;
  try {
    const older = await lockOrder(tx, { id: orderId }, { whilePaid: true });
    const isCalling = older.payments.some(({ state, waiting }) => state === 'processing' && waiting === null);
    if (isCalling) throw new PaymentInProgress(older.id);
    return older.user_id === user_id ? older : null;
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
}

/**
 * Associates an order, as `associateOrder`, with the user of an API token that was just issued. The sign-in succeeds
 * also if the order cannot be associated.
 * @returns the order with its new token; null if it is not the user's
 * @throws TooManyAttempts after too many wrong order tokens from one address
 */
export async function associateOnSignIn(
  ctx: Ctx,
  apiToken: string,
  number: string,
): Promise<AssociatedOrder | null> {
  const actor = buildActor(await identify(ctx.db, apiToken), 'orders:write');
  try {
    const order = await associateOrder({ ...ctx, actor }, number);
    return {
      order_number: order.number,
      order_token: deriveOrderToken(ctx.secret, order.token_seed),
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error instanceof NotAuthorized && actor.kind === 'customer') {
      await takeOrderTokenAttempt(ctx.limits, ctx);
    }
    return null;
  }
}
