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
import { sumQuantities } from '../../platform/quantities';
import { calculateShareUpTo } from '../order/line-share';
import type { OrderGraph, ShipmentGraph } from '../order/order-graph';
import { calculateOutstandingBalance } from '../order/order-totals';

/**
 * Calculates the amount to capture before a shipment leaves, if the store captures on dispatch. It is the value and
 * cost of this shipment and of all shipped ones, minus the payment total, and at most the outstanding balance. For the
 * last shipment that is not canceled it is the whole outstanding balance. ZERO if the shipment may leave. `cost` is the
 * new cost of the shipment, as the request may select another rate.
 */
export function calculateDispatchShortfall(order: OrderGraph, shipment: ShipmentGraph, cost: Amount): Amount {
  const costDifference = subtract(cost, toAmount(shipment.cost));
  const total = sum(toAmount(order.total), costDifference);
  const outstanding = larger(
    ZERO,
    calculateOutstandingBalance(order.state, total, toAmount(order.payment_total)),
  );
  const shipped = order.shipments.filter(({ id, state }) => id === shipment.id || state === 'shipped');
  if (order.shipments.every((one) => one.state === 'canceled' || shipped.includes(one))) return outstanding;
  const shippingCost = sum(
    costDifference,
    sumOf(shipped, (one) => sum(toAmount(one.cost), toAmount(one.adjustment_total))),
  );
  const due = subtract(sum(calculateItemTotal(order, shipped), shippingCost), toAmount(order.payment_total));
  return smaller(outstanding, larger(ZERO, due));
}

function calculateItemTotal(order: OrderGraph, shipments: readonly ShipmentGraph[]): Amount {
  const units = shipments.flatMap((shipment) => shipment.units);
  return sumOf(order.line_items, (line) => {
    const own = units.filter((unit) => unit.line_item_id === line.id);
    const quantity = sumQuantities(own);
    const total = sum(multiply(toAmount(line.price), line.quantity), toAmount(line.adjustment_total));
    return calculateShareUpTo({ total, quantity: line.quantity }, quantity, order.currency);
  });
}

/** Plans which authorized payments to capture to cover `missing`, largest first; null if they do not cover it. */
export function planCaptures<P extends { amount: string }>(
  missing: Amount,
  authorized: readonly P[],
): { payment: P; amount: Amount }[] | null {
  let remaining = missing;
  const captures: { payment: P; amount: Amount }[] = [];
  for (const payment of authorized.toSorted((one, other) =>
    compareAmounts(toAmount(other.amount), toAmount(one.amount)),
  )) {
    const amount = smaller(remaining, toAmount(payment.amount));
    if (amount > ZERO) captures.push({ payment, amount });
    remaining = subtract(remaining, amount);
  }
  return remaining === ZERO ? captures : null;
}
