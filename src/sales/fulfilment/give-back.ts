import { userIdOf, type Ctx } from '../../access/context';
import { orderIdsOf } from '../../inventory/backorders';
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
  await returnStock(tx, goods, async (units) => {
    const order_ids = orderIdsOf(units).filter((id) => id !== orderId);
    await ctx.onBackordersFilled(tx, { units, order_ids, user_id: userIdOf(ctx.actor) });
  });
}
