import {
  ZERO,
  compareAmounts,
  larger,
  smaller,
  subtract,
  sum,
  sumOf,
  multiply,
  toAmount,
  type Amount,
} from '../../platform/money';
import { calculateShareUpTo } from '../order/line-share';
import type { OrderGraph, ShipmentGraph } from '../order/order-graph';
import { calculateOutstandingBalance } from '../order/order-totals';

/**
 * What must still be captured before a shipment leaves, where the store captures on dispatch: its goods and cost and
 * those of all that has left before, less what is paid; never more than the order still owes, and with the last
 * shipment all of that. ZERO when it may go. `cost`: of the shipment, which a rate chosen along may be changing.
 */
export function calculateDispatchShortfall(order: OrderGraph, shipment: ShipmentGraph, cost: Amount): Amount {
  const raise = subtract(cost, toAmount(shipment.cost));
  const total = sum(toAmount(order.total), raise);
  const outstanding = larger(ZERO, calculateOutstandingBalance(order.state, total, toAmount(order.payment_total)));
  const gone = order.shipments.filter(({ id, state }) => id === shipment.id || state === 'shipped');
  if (gone.length === order.shipments.length) return outstanding;
  const freight = sum(
    raise,
    sumOf(gone, (one) => sum(toAmount(one.cost), toAmount(one.adjustment_total))),
  );
  const due = subtract(sum(calculateItemTotal(order, gone), freight), toAmount(order.payment_total));
  return smaller(outstanding, larger(ZERO, due));
}

function calculateItemTotal(order: OrderGraph, shipments: readonly ShipmentGraph[]): Amount {
  const units = shipments.flatMap((shipment) => shipment.units);
  return sumOf(order.line_items, (line) => {
    const own = units.filter((unit) => unit.line_item_id === line.id);
    const quantity = own.reduce((all, unit) => all + unit.quantity, 0);
    const total = sum(multiply(toAmount(line.price), line.quantity), toAmount(line.adjustment_total));
    return calculateShareUpTo({ total, quantity: line.quantity }, quantity, order.currency);
  });
}

/** The authorized payments that cover `missing`, the largest first, and how much of each; null when they cannot. */
export function planCaptures<P extends { amount: string }>(
  missing: Amount,
  authorized: readonly P[],
): { payment: P; amount: Amount }[] | null {
  let left = missing;
  const captures: { payment: P; amount: Amount }[] = [];
  for (const payment of authorized.toSorted((one, other) =>
    compareAmounts(toAmount(other.amount), toAmount(one.amount)),
  )) {
    const amount = smaller(left, toAmount(payment.amount));
    if (amount > ZERO) captures.push({ payment, amount });
    left = subtract(left, amount);
  }
  return left === ZERO ? captures : null;
}
