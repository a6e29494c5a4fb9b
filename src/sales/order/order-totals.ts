import { type Amount, subtract, sum, sumOf, multiply, ZERO } from '../../platform/money';
import type { Decided } from '../../platform/perform';
import { sumQuantities } from '../../platform/quantities';
import type { PaymentState } from './payment.machine';
import { calculateShipmentState, type ShipmentState } from './shipment.machine';
import type { OrderState } from './order.machine';

export const TAX_SOURCE = 'Store::TaxRate';
export const PROMOTION_SOURCE = 'Store::PromotionAction';

/** One adjustment. Included ones are part of the price already; ineligible ones are not counted. */
export interface AdjustmentFacts {
  source_type: string | null;
  amount: Amount;
  included: boolean;
  eligible: boolean;
  /** Of the credit of a return: the taxes that it refunds. The tax totals of the order are net of them. */
  returned_taxes?: { included: Amount; additional: Amount };
}

export interface TotalsInput {
  state: OrderState;
  /** `completed_at` is set, also on canceled and returned orders. */
  is_completed: boolean;
  line_items: readonly {
    id: number;
    price: Amount;
    quantity: number;
    adjustments: readonly AdjustmentFacts[];
  }[];
  shipments: readonly {
    id: number;
    state: ShipmentState;
    cost: Amount;
    has_backordered_units: boolean;
    /** It has units, and all of them have left. */
    has_left: boolean;
    adjustments: readonly AdjustmentFacts[];
  }[];
  /** Adjustments of the order itself, such as RMA credits; not those of its line items and shipments. */
  adjustments: readonly AdjustmentFacts[];
  /** `refunded` is the sum of the payment's refunds. */
  payments: readonly { state: PaymentState; amount: Amount; refunded: Amount }[];
  /** The store captures authorized payments when it ships. */
  captures_on_dispatch: boolean;
}

/** Sums of the adjustments of one line item or shipment. `adjustment_total` counts towards the order's total. */
export interface AdjustmentTotals {
  promo_total: Amount;
  included_tax_total: Amount;
  additional_tax_total: Amount;
  adjustment_total: Amount;
}

export const ORDER_PAYMENT_STATES = ['failed', 'void', 'balance_due', 'credit_owed', 'paid'] as const;
export type OrderPaymentState = (typeof ORDER_PAYMENT_STATES)[number];

/** The states of `shipment_state` besides those of shipments. */
export const MIXED_SHIPMENT_STATES = ['backorder', 'partial'] as const;
export type OrderShipmentState = ShipmentState | (typeof MIXED_SHIPMENT_STATES)[number];

/** The totals and derived states of an order, named as its columns. Its parts are in the order of the input. */
export interface OrderTotals extends AdjustmentTotals {
  total_quantity: number;
  item_total: Amount;
  ship_total: Amount;
  tax_total: Amount;
  total: Amount;
  payment_total: Amount;
  /** The outstanding balance: negative if money is owed to the customer. A canceled order owes all that was paid. */
  outstanding: Amount;
  /** Null before completion. */
  payment_state: OrderPaymentState | null;
  /** Null before completion or without shipments. Shipments that were canceled by themselves do not count. */
  shipment_state: OrderShipmentState | null;
  line_items: (AdjustmentTotals & { id: number; total: Amount })[];
  shipments: (AdjustmentTotals & { id: number; state: Decided<ShipmentState> })[];
}

/**
 * Calculates the totals and derived states of an order. No other code adds up amounts of an order or decides its
 * payment_state, its shipment_state or the state of a shipment. Expects rounded amounts and never rounds. Promotions
 * and taxes must be stored as adjustments first.
 */
export function calculateTotals(order: TotalsInput): OrderTotals {
  const lines = order.line_items.map((line) => {
    const totals = calculateAdjustmentTotals(line.adjustments);
    const total = sum(multiply(line.price, line.quantity), totals.adjustment_total);
    return { id: line.id, total, ...totals };
  });
  const shipmentParts = order.shipments.map((shipment) => ({
    shipment,
    ...calculateAdjustmentTotals(shipment.adjustments),
  }));
  const parts = [...lines, ...shipmentParts, calculateAdjustmentTotals(order.adjustments)];

  const item_total = sumOf(order.line_items, (line) => multiply(line.price, line.quantity));
  const ship_total = sumOf(order.shipments, (shipment) => shipment.cost);
  const included_tax_total = subtract(
    sumOf(parts, (part) => part.included_tax_total),
    sumOf(order.adjustments, ({ returned_taxes }) => returned_taxes?.included ?? ZERO),
  );
  const additional_tax_total = subtract(
    sumOf(parts, (part) => part.additional_tax_total),
    sumOf(order.adjustments, ({ returned_taxes }) => returned_taxes?.additional ?? ZERO),
  );
  const adjustment_total = sumOf(parts, (part) => part.adjustment_total);
  const total = sum(item_total, ship_total, adjustment_total);
  const payment_total = calculatePaymentTotal(order.payments);
  const outstanding = calculateOutstandingBalance(order.state, total, payment_total);
  const payment_state = order.is_completed ? calculatePaymentState(order, outstanding, payment_total) : null;
  const is_covered = isCoveredOnDispatch(order, outstanding);
  const shipments = shipmentParts.map(({ shipment, ...totals }) => ({
    id: shipment.id,
    state: calculateShipmentState(shipment.state, {
      order_state: order.state,
      order_payment_state: payment_state,
      has_backordered_units: shipment.has_backordered_units,
      has_left: shipment.has_left,
      is_covered,
    }),
    ...totals,
  }));

  return {
    total_quantity: sumQuantities(order.line_items),
    item_total,
    ship_total,
    promo_total: sumOf(parts, (part) => part.promo_total),
    included_tax_total,
    additional_tax_total,
    tax_total: sum(included_tax_total, additional_tax_total),
    adjustment_total,
    total,
    payment_total,
    outstanding,
    payment_state,
    shipment_state: order.is_completed ? calculateOrderShipmentState(order, shipments) : null,
    line_items: lines,
    shipments,
  };
}

/** Adds up the eligible adjustments of one line item, shipment or order. */
function calculateAdjustmentTotals(adjustments: readonly AdjustmentFacts[]): AdjustmentTotals {
  const counted = adjustments.filter((adjustment) => adjustment.eligible);
  const sumWhere = (matches: (adjustment: AdjustmentFacts) => boolean): Amount =>
    sumOf(counted.filter(matches), (adjustment) => adjustment.amount);
  const isTax = (adjustment: AdjustmentFacts): boolean => adjustment.source_type === TAX_SOURCE;
  return {
    promo_total: sumWhere(
      (adjustment) => adjustment.source_type === PROMOTION_SOURCE && !adjustment.included,
    ),
    included_tax_total: sumWhere((adjustment) => isTax(adjustment) && adjustment.included),
    additional_tax_total: sumWhere((adjustment) => isTax(adjustment) && !adjustment.included),
    adjustment_total: sumWhere((adjustment) => !adjustment.included),
  };
}

/** Calculates the sum of the completed payments minus their refunds. */
export function calculatePaymentTotal(payments: TotalsInput['payments']): Amount {
  const completed = payments.filter(({ state }) => state === 'completed');
  return sumOf(completed, ({ amount, refunded }) => subtract(amount, refunded));
}

/** Calculates the outstanding balance: total - payment_total. A canceled order owes all that was paid. */
export function calculateOutstandingBalance(state: OrderState, total: Amount, payment_total: Amount): Amount {
  return subtract(state === 'canceled' ? ZERO : total, payment_total);
}

/** Returns whether the store captures on dispatch, and authorized payments cover the outstanding balance. */
export function isCoveredOnDispatch(
  order: {
    captures_on_dispatch: boolean;
    payments: readonly { state: PaymentState; amount: Amount }[];
  },
  outstanding: Amount,
): boolean {
  if (!order.captures_on_dispatch) return false;
  const authorized = order.payments.filter(({ state }) => state === 'pending');
  return sumOf(authorized, ({ amount }) => amount) >= outstanding;
}

function calculatePaymentState(
  order: TotalsInput,
  outstanding: Amount,
  payment_total: Amount,
): OrderPaymentState {
  const hasFailed = ({ state }: { state: PaymentState }): boolean =>
    state === 'failed' || state === 'invalid';
  if (outstanding > ZERO && order.payments.length > 0 && order.payments.every(hasFailed)) return 'failed';
  if (order.state === 'canceled' && payment_total === ZERO) return 'void';
  if (outstanding > ZERO) return 'balance_due';
  return outstanding < ZERO ? 'credit_owed' : 'paid';
}

function calculateOrderShipmentState(
  order: TotalsInput,
  shipments: readonly { state: ShipmentState }[],
): OrderShipmentState | null {
  if (shipments.length > 0 && order.state === 'canceled') return 'canceled';
  // Those that were canceled by themselves do not count.
  const [first, ...others] = shipments.filter(({ state }) => state !== 'canceled');
  if (first === undefined) return null;
  if (order.shipments.some((shipment) => shipment.has_backordered_units)) return 'backorder';
  return others.every(({ state }) => state === first.state) ? first.state : 'partial';
}
