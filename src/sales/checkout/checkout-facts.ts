import { canSupply } from '../../inventory/availability';
import { Restart, type Tx } from '../../platform/database/transaction';
import { sumOf, toAmount } from '../../platform/money';
import type { OrderGraph } from '../order/order-graph';
import { calculatePaymentTotal } from '../order/order-totals';
import { recheckPromotions, selectEligibleDiscounts } from '../pricing/order-promotions';
import type { Shortfall } from '../fulfilment/line-shortages';
import { getAvailability } from '../fulfilment/order-availability';
import { findExpiryError } from '../payment-processing/card-rules';
import { listShortfalls, planStock, type StockPlan } from '../fulfilment/stock-plan';
import { isFree, type CheckoutFacts } from '../order/checkout.guards';
import { getOrderedVariants } from '../fulfilment/ordered-variants.repository';
import { proposeShipments, type Proposal } from '../fulfilment/proposal';
import type { LockedOrderGraph } from '../order/order-lock';
import type { PreloadedData } from './preload';

/** The facts that decide on a step, and the data its effects use. */
export interface StepFacts {
  facts: CheckoutFacts;
  /** Null unless the step proposes shipments. */
  proposal: Proposal | null;
  /** Null unless the step completes the order. */
  stock: StockPlan | null;
  /** The promotions that the order uses, if the step completes it. */
  promotion_ids: readonly number[];
  /** What is available of the line items that cannot be supplied. */
  shortfalls: readonly Shortfall[];
}

/**
 * Loads the facts of the next step, and nothing that this step does not need. Expects the graph and totals of the order
 * up to date. If the step completes the order, locks the promotions and stock items it uses.
 * @throws Restart if stock was locked before promotions
 */
export async function loadStepFacts(
  tx: Tx,
  order: LockedOrderGraph,
  { now, taxes_have_risen, preloaded }: { now: Date; taxes_have_risen: boolean; preloaded: PreloadedData },
): Promise<StepFacts> {
  const variantIds = order.line_items.map((line) => line.variant_id);
  const completes = isCompletionNext(order);
  const proposes = isDeliveryNext(order);
  const variants = completes || proposes ? await getOrderedVariants(tx, order, variantIds) : null;
  const hasStockLock = preloaded.locked !== undefined && preloaded.locked.length > 0;
  // Promotions are always locked before stock, and the order got a discount after its stock was locked.
  if (completes && hasStockLock && selectEligibleDiscounts(order).length > 0) {
    throw new Restart('stock was locked before promotions');
  }
  const promotions = completes
    ? await recheckPromotions(tx, order)
    : { outcome: 'hold' as const, promotion_ids: [] };
  const stock =
    variants !== null && completes ? await planStock(tx, order, variants, preloaded.locked) : null;
  const proposal =
    variants !== null && proposes ? await proposeShipments(tx, order, variants, preloaded.stock) : null;
  const missing = stock?.shortages ?? proposal?.shortages;
  const shortfalls = missing === undefined ? await findShortfalls(tx, order) : listShortfalls(order, missing);
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
    promotion_ids: promotions.promotion_ids,
    facts: {
      email: order.email,
      line_item_count: order.line_items.length,
      // Checked at completion only.
      every_variant_is_for_sale:
        variants === null || variantIds.every((id) => variants.get(id)?.is_for_sale === true),
      every_item_is_in_stock: shortfalls.length === 0 && proposal?.has_shortage !== true,
      promotions: promotions.outcome,
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

/** Finds the line items that the available stock cannot supply. */
async function findShortfalls(tx: Tx, order: OrderGraph): Promise<Shortfall[]> {
  if (order.line_items.length === 0) return [];
  const stock = await getAvailability(
    tx,
    order,
    order.line_items.map((line) => line.variant_id),
  );
  return order.line_items.flatMap(({ variant_id, quantity }) => {
    const available = stock.get(variant_id);
    if (available !== undefined && canSupply(available, quantity)) return [];
    return [{ variant_id, available: Math.max(0, available?.total_on_hand ?? 0) }];
  });
}
