import type { Actor } from '../../access/actor';
import { canUseSavedCards } from '../../access/authorization';
import { canSupply } from '../../inventory/availability';
import { sumOf, toAmount } from '../../platform/money';
import type { OrderGraph } from '../order/order-graph';
import { calculatePaymentTotal } from '../order/order-totals';
import { recheckPromotions, type RecheckedPromotions } from '../pricing/order-promotions';
import type { Shortfall } from '../fulfilment/line-shortages';
import type { FulfilmentFacts } from '../fulfilment/fulfilment-facts';
import { findExpiryError } from '../payment-processing/card-rules';
import { listShortfalls, planStock, type StockPlan } from '../fulfilment/stock-plan';
import { isFree, type CheckoutFacts } from '../order/checkout.guards';
import { getAvailability, getOrderedVariants } from '../fulfilment/variants-of-order';
import { proposeShipments, type Proposal } from '../fulfilment/proposal';
import type { LockedOrderGraph } from '../order/order-lock';
import { isActive } from '../order/payment.machine';
import type { PaymentSource } from '../payment-processing/added-payments';
import type { CheckoutStepFacts } from './wanted-facts';

/** The facts that decide on a step, and the data its effects use. */
export interface StepFacts {
  facts: CheckoutFacts;
  /** Null unless the step proposes shipments. */
  proposal: Proposal | null;
  /** Null unless the step completes the order, and so are its promotions. */
  stock: StockPlan | null;
  promotions: RecheckedPromotions | null;
  /** What is available of the line items that cannot be supplied. */
  shortfalls: readonly Shortfall[];
  /** The default card of the user, if it can pay an order without a payment. */
  card: PaymentSource | null;
}

/**
 * Lists the facts of the next step, and asks nothing that this step does not need. Expects the graph and totals of the order
 * up to date. If the step completes the order, asks for the promotions and stock items it uses, which locks them.
 */
export function listStepFacts(
  facts: CheckoutStepFacts,
  order: LockedOrderGraph,
  { actor, now, taxes_have_risen }: { actor: Actor; now: Date; taxes_have_risen: boolean },
): StepFacts {
  const variantIds = order.line_items.map((line) => line.variant_id);
  const completes = isCompletionNext(order);
  const proposes = isDeliveryNext(order);
  const variants = completes || proposes ? getOrderedVariants(facts, order, variantIds) : null;
  const promotions = completes ? recheckPromotions(facts, order) : null;
  const stock = variants !== null && completes ? planStock(facts, order, variants) : null;
  const proposal = variants !== null && proposes ? proposeShipments(facts, order, variants) : null;
  const missing = stock?.shortages ?? proposal?.shortages;
  const shortfalls = missing === undefined ? findShortfalls(facts, order) : listShortfalls(order, missing);
  const payments = order.payments.map((payment) => ({
    state: payment.state,
    amount: toAmount(payment.amount),
    refunded: toAmount(payment.refunded),
  }));
  const pending = payments.filter((payment) => payment.state === 'pending');
  return {
    proposal,
    stock,
    shortfalls,
    promotions,
    card:
      order.state === 'delivery' && !completes && canUseSavedCards(actor, order)
        ? findCard(facts, order, now)
        : null,
    facts: {
      email: order.email,
      line_item_count: order.line_items.length,
      // Checked at completion only.
      every_variant_is_for_sale:
        variants === null || variantIds.every((id) => variants.get(id)?.is_for_sale === true),
      every_item_is_in_stock: shortfalls.length === 0 && proposal?.has_shortage !== true,
      promotions: promotions?.outcome ?? 'hold',
      // Addresses are checked when they are stored.
      bill_address_errors: order.bill_address === null ? null : {},
      ship_address_errors: order.ship_address === null ? null : {},
      proposal,
      shipments: order.shipments.map(({ rates }) => ({
        has_selected_rate: rates.some((rate) => rate.selected),
      })),
      every_shipping_method_is_offered: order.shipments.every(
        ({ rates }) => !rates.some((rate) => rate.selected && rate.method_is_deleted),
      ),
      unusable_payment: findUnusablePayment(order, now),
      taxes_have_risen,
      total: toAmount(order.total),
      payment_total: calculatePaymentTotal(payments),
      pending_total: sumOf(pending, (payment) => payment.amount),
      payments,
    },
  };
}

/** Whether the next step completes the order. */
export function isCompletionNext(order: OrderGraph): boolean {
  const free = isFree({ total: toAmount(order.total) });
  return order.state === 'confirm' || (free && (order.state === 'delivery' || order.state === 'payment'));
}

function isDeliveryNext(order: OrderGraph): boolean {
  return order.state === 'address' && order.ship_address !== null && order.bill_address !== null;
}

/** Finds why a payment that is still to be processed cannot be: methods and cards may change after it was entered. */
function findUnusablePayment({ payments }: OrderGraph, now: Date): CheckoutFacts['unusable_payment'] {
  const waiting = payments.filter(({ state }) => state === 'checkout');
  if (waiting.some((payment) => !payment.method_is_active)) return 'inactive_method';
  const hasExpired = waiting.some(
    ({ card }) => card !== null && findExpiryError(Number(card.month), Number(card.year), now) !== null,
  );
  return hasExpired ? 'expired_card' : null;
}

/** Finds the default card of the user, unless it has expired or its method is no longer offered. */
function findCard(facts: CheckoutStepFacts, order: OrderGraph, now: Date): PaymentSource | null {
  if (order.user_id === null || order.payments.some(({ state }) => isActive(state))) return null;
  const card = facts.defaultCard(order.user_id);
  if (card === null || findExpiryError(Number(card.month), Number(card.year), now) !== null) return null;
  const offered = facts.offeredPaymentMethods(order.revisions);
  const method = offered.find(({ id }) => id === card.payment_method_id);
  return method === undefined ? null : { source: 'existing_card', method, card };
}

/** Finds the line items that the available stock cannot supply. */
function findShortfalls(facts: FulfilmentFacts, order: OrderGraph): Shortfall[] {
  if (order.line_items.length === 0) return [];
  const stock = getAvailability(
    facts,
    order,
    order.line_items.map((line) => line.variant_id),
  );
  return order.line_items.flatMap(({ variant_id, quantity }) => {
    const available = stock.get(variant_id);
    if (available !== undefined && canSupply(available, quantity)) return [];
    return [{ variant_id, available: Math.max(0, available?.total_on_hand ?? 0) }];
  });
}
