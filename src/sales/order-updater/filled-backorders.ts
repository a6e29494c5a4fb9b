import type { FilledBackorders } from '../../inventory/context';
import type { Tx } from '../../platform/database/transaction';
import { calculateTotals } from '../order/order-totals';
import { lockOrders, type LockedOrderGraph } from '../order/order-lock';
import type { Cause } from '../order/state-changes.repository';
import { updateOrderStates } from './order-totals.repository';
import { buildShipmentStateChanges, buildTotalsInput } from './recalculate-order';

/** Maximum number of orders that are loaded at once. */
const BATCH = 500;

/**
 * Updates the orders whose backorders were filled, after their units were put on hand: their shipments may become
 * ready. Arriving stock changes no amounts, so only the derived states are written. Four statements for every 500
 * orders.
 */
export async function updateFilledOrders(
  tx: Tx,
  filled: Pick<FilledBackorders, 'order_ids' | 'user_id'>,
): Promise<void> {
  const cause = { user_id: filled.user_id, reason: 'Backordered items arrived' };
  for (let first = 0; first < filled.order_ids.length; first += BATCH) {
    const orders = await lockOrders(tx, filled.order_ids.slice(first, first + BATCH));
    // An order being completed is updated when its gateway call has finished.
    const complete = orders.filter((order) => order.completed_at !== null);
    await updateStates(tx, complete, cause);
  }
}

async function updateStates(tx: Tx, orders: readonly LockedOrderGraph[], cause: Cause): Promise<void> {
  const updated = orders.map((order) => {
    const totals = calculateTotals(buildTotalsInput(order));
    const before = new Map(order.shipments.map(({ id, state }) => [id, state]));
    return {
      order,
      shipment_state: totals.shipment_state,
      shipments: totals.shipments.filter(({ id, state }) => state !== before.get(id)),
      history: buildShipmentStateChanges(order, totals, cause),
    };
  });
  await updateOrderStates(
    tx,
    updated,
    updated.flatMap(({ history }) => history),
  );
}
