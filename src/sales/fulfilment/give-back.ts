import { userIdOf, type Ctx } from '../../access/context';
import { returnStock, type PlacedChange } from '../../inventory/stock-ledger';
import type { Tx } from '../../platform/database/transaction';

/**
 * Puts goods of an order back on their shelves, where other orders may wait for them. Those are brought up to date at
 * once, the order itself by its use case. Expects it locked, and those others (lock-filled-orders.ts).
 */
export async function giveBack(
  tx: Tx,
  ctx: Pick<Ctx, 'actor' | 'onBackordersFilled'>,
  orderId: number,
  goods: readonly PlacedChange[],
): Promise<void> {
  await returnStock(tx, goods, async (ids) => {
    const order_ids = ids.filter((id) => id !== orderId);
    if (order_ids.length > 0) await ctx.onBackordersFilled(tx, { order_ids, user_id: userIdOf(ctx.actor) });
  });
}
