import { userIdOf, type Ctx } from '../../context';
import { InvalidResource, NotFound, type FieldErrors } from '../../errors';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { changeLines, type LineRow } from '../orders/order-contents';
import { loadOrderGraph, type LineItemRow, type OrderGraph } from '../orders/order-graph';
import { lockOrder } from '../orders/order-lock';
import { updateOrder } from '../orders/order-updater';
import { findSellableVariants } from './sellable-variants.repository';

/** An order, and the line of it that was asked for. */
export interface OrderLine {
  order: OrderGraph;
  line: LineItemRow;
}

/**
 * Adds to the line of that variant, or makes one.
 * @throws NotFound for an order or variant the caller cannot see; NotAuthorized; InvalidResource
 */
export async function addLineItem(ctx: Ctx, number: string, row: Omit<LineRow, 'id'>): Promise<OrderLine> {
  return changeOrder(ctx, number, async (tx, order) => {
    const wanted = {
      ids: row.variant_id == null ? [] : [row.variant_id],
      skus: row.sku == null ? [] : [row.sku],
    };
    const [variant] = await findSellableVariants(tx, ctx, wanted, order.currency);
    if (variant === undefined) throw new NotFound();
    return {
      rows: [{ quantity: row.quantity, price: row.price, variant_id: variant.id }],
      find: { variant_id: variant.id },
    };
  });
}

type Plan = { rows: LineRow[]; find: { variant_id: number } };

async function changeOrder(
  ctx: Ctx,
  number: string,
  plan: (tx: Tx, order: OrderGraph) => Promise<Plan>,
): Promise<OrderLine> {
  return withTransaction(ctx, async (tx) => {
    const locked = await lockOrder(tx, ctx, number);
    const graph = await loadOrderGraph(tx, locked.id);
    const { rows, find } = await plan(tx, graph);
    const patch = await unprefixed(() => changeLines(tx, ctx, graph, rows));
    const cause = { user_id: userIdOf(ctx.actor), reason: 'line items changed' };
    const order = await updateOrder(tx, locked, cause, patch);
    const line = order.line_items.find(({ variant_id }) => variant_id === find.variant_id);
    if (line === undefined) throw new NotFound();
    return { order, line };
  });
}

/** A line's own endpoints report `quantity` where an order's body reports `line_items.quantity`. */
async function unprefixed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InvalidResource)) throw error;
    const own: FieldErrors = Object.fromEntries(
      Object.entries(error.errors).map(([field, messages]) => [field.replace(/^line_items\./, ''), messages]),
    );
    throw new InvalidResource(own);
  }
}
