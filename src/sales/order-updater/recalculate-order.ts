import { InvalidResource } from '../../platform/errors';
import { groupBy } from '../../platform/group-by';
import { sum, toAmount, toDecimal, ZERO } from '../../platform/money';
import type { PricingFacts } from '../pricing/pricing-facts';
import { syncAdjustments } from '../pricing/sync-adjustments';
import {
  buildLineOwnerKey,
  ORDER_OWNER_KEY,
  buildOwnerKey,
  buildShipmentOwnerKey,
} from '../pricing/calculated-adjustments';
import type { StateChange, Cause } from '../order/state-changes.repository';
import type { OrderDraft } from './order-draft';
import { hasLeft } from '../order/inventory-unit.machine';
import type { OrderGraph, ShipmentGraph } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import { calculateTotals, type OrderTotals, type TotalsInput } from '../order/order-totals';

/**
 * Recalculates promotions, taxes, totals and derived states of a draft. No other code writes totals, payment_state,
 * shipment_state or the state of an unshipped shipment.
 * @throws NegativeAmount if the order, a line item or a shipment would cost less than nothing
 */
export function recalculate(facts: PricingFacts, draft: OrderDraft, cause: Cause): OrderDraft {
  const { order } = draft;
  const graph = { ...order, adjustments: syncAdjustments(facts, order) };
  const totals = calculateTotals(buildTotalsInput(graph));
  rejectNegativeAmounts(order, totals);
  return {
    ...draft,
    order: { ...applyTotals(graph, totals), ...buildOrderColumns(totals) },
    cause,
    history: [...draft.history, ...buildShipmentStateChanges(graph, totals, cause)],
  };
}

/** A change would make the order, a line item or a shipment cost less than nothing. */
export class NegativeAmount extends InvalidResource {
  constructor(field = 'total') {
    super({ [field]: ['must be greater than or equal to 0'] });
  }
}

/**
 * Credits of returns and manual adjustments are kept, so what they reduce cannot become smaller than their sum. An
 * order whose total is negative already can still be changed.
 */
function rejectNegativeAmounts(order: OrderGraph, totals: OrderTotals): void {
  const isNegative =
    (totals.total < ZERO && totals.total < toAmount(order.total)) ||
    totals.line_items.some(({ total }) => total < ZERO) ||
    totals.shipments.some(
      ({ adjustment_total }, index) =>
        sum(toAmount(order.shipments[index]?.cost ?? '0'), adjustment_total) < ZERO,
    );
  if (isNegative) {
    throw new NegativeAmount().withHint(
      'The returns and negative adjustments of the order exceed the rest of its total; change or delete such an adjustment first.',
    );
  }
}

/** Builds the input of the calculation from a graph. */
export function buildTotalsInput(graph: OrderGraph): TotalsInput {
  const owners = groupBy(graph.adjustments, buildOwnerKey);
  const selectAdjustments = (owner: string) =>
    (owners.get(owner) ?? []).map(({ source_type, included, eligible, ...adjustment }) => ({
      source_type,
      included,
      eligible,
      amount: toAmount(adjustment.amount),
      returned_taxes: {
        included: toAmount(adjustment.included_tax ?? '0'),
        additional: toAmount(adjustment.additional_tax ?? '0'),
      },
    }));
  return {
    state: graph.state,
    is_completed: graph.completed_at !== null,
    line_items: graph.line_items.map((line) => ({
      id: line.id,
      price: toAmount(line.price),
      quantity: line.quantity,
      adjustments: selectAdjustments(buildLineOwnerKey(line.id)),
    })),
    shipments: graph.shipments.map((shipment) => ({
      id: shipment.id,
      state: shipment.state,
      cost: toAmount(shipment.cost),
      has_backordered_units: shipment.units.some((unit) => unit.state === 'backordered'),
      has_left: hasLeft(shipment),
      adjustments: selectAdjustments(buildShipmentOwnerKey(shipment.id)),
    })),
    adjustments: selectAdjustments(ORDER_OWNER_KEY),
    payments: graph.payments.map((payment) => ({
      state: payment.settled_state,
      amount: toAmount(payment.amount),
      refunded: toAmount(payment.refunded),
    })),
    captures_on_dispatch: graph.captures_on_dispatch,
  };
}

/** Builds the derived columns of `orders`. */
function buildOrderColumns(totals: OrderTotals) {
  return {
    item_total: toDecimal(totals.item_total),
    ship_total: toDecimal(totals.ship_total),
    ...buildPartColumns(totals),
    total: toDecimal(totals.total),
    payment_total: toDecimal(totals.payment_total),
    total_quantity: String(totals.total_quantity),
    payment_state: totals.payment_state,
    shipment_state: totals.shipment_state,
  };
}

type PartTotals = Pick<
  OrderTotals,
  'promo_total' | 'adjustment_total' | 'included_tax_total' | 'additional_tax_total'
>;

function buildPartColumns(totals: PartTotals) {
  return {
    promo_total: toDecimal(totals.promo_total),
    adjustment_total: toDecimal(totals.adjustment_total),
    included_tax_total: toDecimal(totals.included_tax_total),
    additional_tax_total: toDecimal(totals.additional_tax_total),
  };
}

function hasSameTotals(stored: { [K in keyof PartTotals]: string }, now: PartTotals): boolean {
  return (
    toAmount(stored.promo_total) === now.promo_total &&
    toAmount(stored.adjustment_total) === now.adjustment_total &&
    toAmount(stored.included_tax_total) === now.included_tax_total &&
    toAmount(stored.additional_tax_total) === now.additional_tax_total
  );
}

/** Builds the history of the shipments whose states change. */
export function buildShipmentStateChanges(
  graph: OrderGraph,
  totals: OrderTotals,
  cause: Cause,
): StateChange[] {
  return graph.shipments.flatMap((shipment, index) => {
    const to_state = totals.shipments[index]?.state ?? shipment.state;
    const move = { order_id: graph.id, subject_type: 'shipment', subject_id: shipment.id, ...cause } as const;
    return to_state === shipment.state ? [] : [{ ...move, from_state: shipment.state, to_state }];
  });
}

function applyTotals(graph: LockedOrderGraph, totals: OrderTotals): LockedOrderGraph {
  return {
    ...graph,
    line_items: graph.line_items.map((line, index) => {
      const now = totals.line_items[index];
      return now === undefined || hasSameTotals(line, now) ? line : { ...line, ...buildPartColumns(now) };
    }),
    shipments: graph.shipments.map((shipment, index) => {
      const now = totals.shipments[index];
      if (now === undefined || (now.state === shipment.state && hasSameTotals(shipment, now)))
        return shipment;
      const shipped_at = now.state === 'shipped' ? findShippedAt(shipment, graph) : null;
      return { ...shipment, ...buildPartColumns(now), state: now.state, shipped_at };
    }),
  };
}

/** Returns when a shipment left. One that has shipped because units were taken off it left with its last unit. */
function findShippedAt(
  { shipped_at, unit_shipped_at }: ShipmentGraph,
  { transaction_time }: OrderGraph,
): Date {
  return shipped_at ?? unit_shipped_at ?? transaction_time;
}
