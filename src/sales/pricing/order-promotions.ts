import { isBlank } from '../../platform/blank';
import { sumOf, multiply, toAmount, type Amount } from '../../platform/money';
import { buildAdjustmentKey, type CalculatedAdjustment } from './calculated-adjustments';
import type { AdjustmentRow, LineItemRow, OrderGraph, OrderPromotion } from '../order/order-graph';
import { PROMOTION_SOURCE } from '../order/order-totals';
import { calculateDiscounts, type Discount, type DiscountOffer } from './promotion-amounts';
import type { PricingFacts } from './pricing-facts';
import type { OffersQuestion, PromotionOffer } from './promotion-graph';
import {
  findRefusal,
  selectActionableLineIds,
  isEligible,
  type PurchaseFacts,
  type RuleType,
} from './promotion-rules';
import type { PromotionsOutcome } from '../order/checkout.guards';
import type { LockedOrderGraph } from '../order/order-lock';

/** A promotion, and whether the order is eligible for it now. */
export interface AssessedPromotion {
  promotion: PromotionOffer;
  is_eligible: boolean;
  /** Why the order does not meet its rules; null if it does. */
  refusal: string | null;
}

/** Whether the discounts of an order still hold, and the promotions that give them. */
export interface RecheckedPromotions {
  outcome: PromotionsOutcome;
  promotion_ids: number[];
  /** The promotions of the order that are running and not used up by other orders. */
  holding: OrderPromotion[];
}

/** The promotions of an order and their discounts. */
export interface Assessment {
  promotions: AssessedPromotion[];
  discounts: Discount[];
}

/** Calculates the discounts of every line item and shipment of an order that is not complete. */
export function assessPromotions(
  facts: PricingFacts,
  order: OrderGraph,
  offers: readonly PromotionOffer[] = facts.promotionOffers(askOffers(order)),
): Assessment {
  if (offers.length === 0) return { promotions: [], discounts: [] };
  const purchase = readPurchase(facts, order, offers);
  const promotions = offers.map((promotion) => ({
    promotion,
    is_eligible: promotion.is_running && !promotion.is_used_up && isEligible(promotion, purchase),
    refusal: findRefusal(promotion, purchase),
  }));
  const discounts = calculateDiscounts(
    {
      currency: order.currency,
      lines: order.line_items.map((line) => ({ id: line.id, amount: calculateLineAmount(line) })),
      shipments: order.shipments.map(({ id, cost }) => ({ id, cost: toAmount(cost) })),
    },
    promotions.flatMap((assessed) => buildDiscountOffers(assessed, purchase)),
  );
  return { promotions, discounts };
}

function askOffers({ id, promotions }: OrderGraph): OffersQuestion {
  return { order_id: id, promotion_ids: promotions.map(({ promotion_id }) => promotion_id) };
}

/** Builds the adjustments of these discounts, including ineligible ones. */
export function buildPromotionAdjustments(facts: PricingFacts, order: OrderGraph): CalculatedAdjustment[] {
  const { discounts } = assessPromotions(facts, order);
  return discounts.map(buildAdjustment);
}

/**
 * Checks at completion whether the stored discounts of an order are still valid. Locks the promotions whose use is
 * limited, so that only one order gets the last use. Must run before stock items are locked. Needs no facts for orders
 * without discounts.
 */
export function recheckPromotions(facts: PricingFacts, order: LockedOrderGraph): RecheckedPromotions {
  const stored = selectEligibleDiscounts(order);
  if (stored.length === 0) return { outcome: 'hold', promotion_ids: [], holding: order.promotions };
  const actionIds = collectActionIds(stored);
  const offers = facts.lockedPromotionOffers({ ...askOffers(order), action_ids: actionIds });
  const { promotions, discounts } = assessPromotions(facts, order, offers);
  const current = new Map(
    discounts
      .filter(({ eligible }) => eligible)
      .map(buildAdjustment)
      .map((adjustment) => [buildAdjustmentKey(adjustment), adjustment]),
  );
  const isUnchanged = stored.every(
    (row) => current.get(buildAdjustmentKey(row))?.amount === toAmount(row.amount),
  );
  const used = promotions.flatMap(({ promotion }) =>
    promotion.actions.some(({ id }) => actionIds.includes(id)) ? promotion : [],
  );
  const promotion_ids = used.map(({ id }) => id);
  const holding = selectHoldingPromotions(order, offers);
  if (isUnchanged && current.size === stored.length) return { outcome: 'hold', promotion_ids, holding };
  return {
    outcome: used.some(({ is_used_up }) => is_used_up) ? 'used_up' : 'changed',
    promotion_ids,
    holding,
  };
}

function selectHoldingPromotions(order: OrderGraph, offers: readonly PromotionOffer[]): OrderPromotion[] {
  const holding = new Set(
    offers.filter((offer) => offer.is_running && !offer.is_used_up).map(({ id }) => id),
  );
  return order.promotions.filter(({ promotion_id }) => holding.has(promotion_id));
}

/** Returns the eligible promotion adjustments of an order. */
function selectEligibleDiscounts(order: Pick<OrderGraph, 'adjustments'>): AdjustmentRow[] {
  return order.adjustments.filter((row) => row.source_type === PROMOTION_SOURCE && row.eligible);
}

/** Returns the ids of the promotion actions that created these adjustments, each once. */
function collectActionIds(adjustments: readonly AdjustmentRow[]): number[] {
  return [...new Set(adjustments.flatMap(({ source_id }) => source_id ?? []))];
}

function buildAdjustment(discount: Discount): CalculatedAdjustment {
  return { ...discount, source_type: PROMOTION_SOURCE, included: false, rate: null, included_rates: null };
}

function calculateLineAmount(line: LineItemRow): Amount {
  return multiply(toAmount(line.price), line.quantity);
}

const buildPromotionLabel = (name: string): string => `Promotion (${name})`;

/** Returns the name of the promotion in the label of a discount; null for other labels. */
export function readPromotionName(label: string): string | null {
  return /^Promotion \((.*)\)$/s.exec(label)?.[1] ?? null;
}

/** An ineligible promotion creates ineligible discounts only if its code was entered. */
function buildDiscountOffers(
  { promotion, is_eligible }: AssessedPromotion,
  facts: PurchaseFacts,
): DiscountOffer[] {
  const needs_code = promotion.code !== null;
  if (!is_eligible && !needs_code) return [];
  const line_ids = selectActionableLineIds(promotion, facts);
  const label = buildPromotionLabel(promotion.name);
  return promotion.actions.map(({ id, ...action }) => ({
    ...action,
    action_id: id,
    label,
    is_eligible,
    needs_code,
    line_ids,
  }));
}

const PURCHASE_RULES: readonly RuleType[] = ['product', 'taxon', 'first_order', 'one_use_per_user'];

function readPurchase(
  facts: PricingFacts,
  order: OrderGraph,
  offers: readonly PromotionOffer[],
): PurchaseFacts {
  const rules = offers.flatMap((offer) => offer.rules);
  const purchase = rules.some(({ type }) => PURCHASE_RULES.includes(type))
    ? facts.purchase({
        id: order.id,
        user_id: order.user_id,
        email: order.email,
        variant_ids: order.line_items.map((line) => line.variant_id),
        taxon_ids: rules.flatMap((rule) => rule.taxon_ids),
        promotion_ids: offers.map(({ id }) => id),
      })
    : { products: [], has_bought_before: false, used_promotion_ids: [] };
  const products = new Map(purchase.products.map((product) => [product.variant_id, product]));
  return {
    currency: order.currency,
    money_format: order.money_format,
    item_total: sumOf(order.line_items, calculateLineAmount),
    lines: order.line_items.map(({ id, variant_id }) => {
      const product = products.get(variant_id);
      return { id, product_id: product?.product_id ?? 0, taxon_ids: new Set(product?.taxon_ids) };
    }),
    user_id: order.user_id,
    has_buyer: order.user_id !== null || !isBlank(order.email),
    has_bought_before: purchase.has_bought_before,
    used_promotion_ids: new Set(purchase.used_promotion_ids),
  };
}
