import { findDefaultStore } from '../../accounts/stores/stores.repository';
import { isAdmin, userIdOf, type Ctx } from '../../context';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { applyInput } from '../checkout/checkout.service';
import { insertStateChanges } from '../history/state-changes.repository';
import { openOrder } from './order-access';
import { loadOrderGraph, type OrderGraph } from './order-graph';
import type { OrderCreateInput } from './order-input.schema';
import { ownNewOrder } from './order-lock';
import { newOrderToken } from './order-token';
import { insertOrder, type OrderRow } from './orders.repository';

const FALLBACK_CURRENCY = 'USD';

/** The order in the path with its parts. @throws NotFound, NotAuthorized */
export async function getOrder(ctx: Ctx, number: string): Promise<OrderGraph> {
  const order = await openOrder(ctx, number);
  return loadOrderGraph(ctx.db, order.id);
}

/**
 * A new order in state `cart`, all or nothing (behaviour 7.1). A customer owns it; what only admins may set is
 * ignored from others.
 * @throws InvalidResource
 */
export async function createOrder(ctx: Ctx, input: OrderCreateInput): Promise<OrderGraph> {
  return withTransaction(ctx, async (tx) => {
    const cause = { user_id: userIdOf(ctx.actor), reason: 'order created' };
    const row = await insertNewOrder(tx, ctx, input);
    await insertStateChanges(tx, [
      {
        order_id: row.id,
        subject_type: 'order',
        subject_id: row.id,
        from_state: null,
        to_state: row.state,
        ...cause,
      },
    ]);
    const order = { ...ownNewOrder(row), ...(await loadOrderGraph(tx, row.id)) };
    return applyInput(tx, ctx, order, { attributes: input, payment: null, cause });
  });
}

async function insertNewOrder(tx: Tx, ctx: Ctx, input: OrderCreateInput): Promise<OrderRow> {
  const { actor } = ctx;
  const byAdmin: Partial<OrderCreateInput> = isAdmin(actor) ? input : {};
  return insertOrder(tx, {
    ...newOrderToken(ctx.secret),
    number: byAdmin.number ?? undefined,
    channel: byAdmin.channel ?? undefined,
    user_id: userIdOf(actor),
    email: actor.kind === 'guest' ? null : actor.email,
    currency: byAdmin.currency ?? (await findDefaultStore(tx))?.currency ?? FALLBACK_CURRENCY,
  });
}
