import {
  type Amount,
  compareDecimals,
  divideDecimals,
  sum,
  sumOf,
  toAmount,
  toDecimal,
  ZERO,
} from '../../platform/money';
import type { AdjustmentRow, OrderGraph, ShipmentGraph } from '../order/order-graph';
import { PROMOTION_SOURCE, TAX_SOURCE } from '../order/order-totals';
import { isTaxable, PERCENT_DIGITS } from '../pricing/kept-adjustments';

type Freight = Pick<OrderGraph, 'shipments' | 'adjustments'>;

/** Removes the shipments of an order that have no units, with their adjustments. Canceled ones stay listed. */
export function removeEmptyShipments<Order extends Freight>(order: Order): Order {
  const shipments = order.shipments.filter(({ units, state }) => units.length > 0 || state === 'canceled');
  if (shipments.length === order.shipments.length) return order;
  const left = new Set(shipments.map(({ id }) => id));
  const adjustments = order.adjustments.filter(
    ({ shipment_id }) => shipment_id === null || left.has(shipment_id),
  );
  return { ...order, shipments, adjustments };
}

/**
 * Whether the costs of two shipments can be one: they are taxed at the same rates, or nothing is charged for one of them. Else no
 * document could tell which part of the sum is taxed at which rate.
 */
export function isTaxedAlike(order: Freight, one: ShipmentGraph, other: ShipmentGraph): boolean {
  if ([one, other].some((shipment) => calculateTaxable(order, shipment) === ZERO)) return true;
  const listTaxes = ({ id }: ShipmentGraph): AdjustmentRow[] =>
    order.adjustments.filter((row) => row.shipment_id === id && row.eligible && isTax(row));
  const [taxes, others] = [listTaxes(one), listTaxes(other)];
  return (
    taxes.length === others.length &&
    taxes.every((tax) =>
      others.some(
        (same) => isSameSource(tax, same) && compareDecimals(tax.rate ?? '0', same.rate ?? '0') === 0,
      ),
    )
  );
}

const isTax = ({ source_type }: AdjustmentRow): boolean => source_type === TAX_SOURCE;

/** The cost of a shipment with its discounts and taxed adjustments. */
function calculateTaxable({ adjustments }: Freight, { id, cost }: ShipmentGraph): Amount {
  const own = adjustments.filter((row) => row.shipment_id === id && isTaxable(row));
  return sum(
    toAmount(cost),
    sumOf(own, ({ amount }) => toAmount(amount)),
  );
}

/**
 * Moves the cost of a shipment, and its taxes and discounts, to another one of the same complete order. Adjustments of
 * the same source are added up, and keep their sum for as long as the cost stays: calculated from the sum of the costs,
 * a tax could differ by a cent. The rates of a shipment for which nothing is charged are dropped. Remove the emptied shipment
 * afterwards. Requires `isTaxedAlike`.
 */
export function moveCost<Order extends Freight>(
  order: Order,
  { from, to: target }: { from: ShipmentGraph; to: ShipmentGraph },
): Order {
  const { id: to } = target;
  const isCharged = calculateTaxable(order, from) !== ZERO;
  const moved = order.adjustments.filter(
    (row) => row.shipment_id === from.id && row.eligible && (isCharged || !isTax(row)),
  );
  const keepsRates = !isCharged || calculateTaxable(order, target) !== ZERO;
  const isDropped = (row: AdjustmentRow) => row.shipment_id === to && isTax(row) && !keepsRates;
  const isTarget = (row: AdjustmentRow) => row.shipment_id === to && !isDropped(row);
  const targets = order.adjustments.filter(isTarget);
  const merged = new Set(moved.filter((row) => targets.some((own) => isSameSource(own, row))));
  const adjustments = order.adjustments.flatMap((row) => {
    if (merged.has(row) || isDropped(row)) return [];
    if (moved.includes(row)) return { ...row, shipment_id: to };
    const added = isTarget(row) ? moved.find((one) => isSameSource(row, one)) : undefined;
    if (added === undefined) return row;
    const amount = sum(toAmount(added.amount), row.eligible ? toAmount(row.amount) : ZERO);
    return { ...row, amount: toDecimal(amount), eligible: true };
  });
  const charged = { ...order, adjustments, shipments: addCost(order, to, from.cost) };
  return toAmount(from.cost) > ZERO ? keepAmounts(charged, to) : charged;
}

function isSameSource(one: AdjustmentRow, other: AdjustmentRow): boolean {
  return (
    one.source_type !== null && one.source_type === other.source_type && one.source_id === other.source_id
  );
}

/** Adds to the cost of a shipment, which no rate changes afterwards. */
export function addCost({ shipments }: Freight, id: number, added: string): ShipmentGraph[] {
  return shipments.map((shipment) => {
    if (shipment.id !== id) return shipment;
    const cost = toDecimal(sum(toAmount(shipment.cost), toAmount(added)));
    return { ...shipment, cost, fixed_cost: cost };
  });
}

/** Lets the adjustments of a shipment of a complete order keep their amounts for as long as its cost stays. */
export function keepAmounts<Order extends Freight>(order: Order, shipmentId: number): Order {
  const shipment = order.shipments.find(({ id }) => id === shipmentId);
  if (shipment === undefined) return order;
  const [cost, taxable] = [toAmount(shipment.cost), calculateTaxable(order, shipment)];
  const adjustments = order.adjustments.map((row) => {
    const { source_type, shipment_id, eligible, amount, percent } = row;
    if (shipment_id !== shipmentId || !eligible) return row;
    if (!isTax(row) && source_type !== PROMOTION_SOURCE) return row;
    const base = isTax(row) ? taxable : cost;
    return {
      ...row,
      sold_amount: amount,
      sold_base: toDecimal(base),
      percent:
        percent === null || base === ZERO
          ? percent
          : divideDecimals([amount, '-100'], [base], PERCENT_DIGITS),
    };
  });
  return { ...order, adjustments };
}
