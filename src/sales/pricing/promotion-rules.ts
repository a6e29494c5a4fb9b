import { toAmount, type Amount, type Currency } from '../../platform/money';
import { displayMoney, type MoneyDisplay } from '../../platform/money-format';

export const RULE_TYPES = [
  'item_total',
  'product',
  'taxon',
  'user',
  'first_order',
  'one_use_per_user',
] as const;
export type RuleType = (typeof RULE_TYPES)[number];

/** How many of a rule's products or taxons an order must contain. */
export const PRODUCT_POLICIES = ['any', 'all', 'none'] as const;
export type ProductPolicy = (typeof PRODUCT_POLICIES)[number];

/** Whether an order must meet all rules of a promotion, or any one. */
export const MATCH_POLICIES = ['all', 'any'] as const;
export type MatchPolicy = (typeof MATCH_POLICIES)[number];

/** A promotion rule. Only the parameters of its type are set. */
export interface PromotionRule {
  type: RuleType;
  match_policy: ProductPolicy | null;
  /** Decimal strings, both inclusive; null means unlimited. */
  amount_min: string | null;
  amount_max: string | null;
  currency: Currency | null;
  product_ids: readonly number[];
  taxon_ids: readonly number[];
  user_ids: readonly number[];
}

/** The facts about one line item that rules decide on. */
export interface LineFacts {
  id: number;
  product_id: number;
  /** The taxons of its product and all their ancestors. */
  taxon_ids: ReadonlySet<number>;
}

/** The facts about an order and its buyer that rules decide on. */
export interface PurchaseFacts extends MoneyDisplay {
  /** Sum of price x quantity, before any discount. */
  item_total: Amount;
  lines: readonly LineFacts[];
  /** Null for guests. */
  user_id: number | null;
  /** The order has a user or an e-mail address. */
  has_buyer: boolean;
  /** The buyer has another order that is complete and not canceled. */
  has_bought_before: boolean;
  /** The promotions that other orders of the buyer use, including orders being completed. */
  used_promotion_ids: ReadonlySet<number>;
}

/** A promotion with its rules. */
export interface ConditionalPromotion {
  id: number;
  match_policy: MatchPolicy;
  rules: readonly PromotionRule[];
}

/** Whether an order meets the rules of a promotion. Every order is eligible for a promotion without rules. */
export function isEligible(promotion: ConditionalPromotion, order: PurchaseFacts): boolean {
  const { rules, match_policy } = promotion;
  const isRuleMet = (rule: PromotionRule): boolean => isMet(rule, promotion.id, order);
  if (rules.length === 0) return true;
  return match_policy === 'all' ? rules.every(isRuleMet) : rules.some(isRuleMet);
}

/**
 * Returns why an order does not meet the rules of a promotion, in Spree's words; null if it does. With match policy
 * `any`, the reason of the first rule.
 */
export function findRefusal(promotion: ConditionalPromotion, order: PurchaseFacts): string | null {
  if (isEligible(promotion, order)) return null;
  const failed = promotion.rules.find((rule) => !isMet(rule, promotion.id, order));
  return failed === undefined ? null : explainRefusal(failed, order);
}

function explainRefusal(rule: PromotionRule, order: PurchaseFacts): string {
  switch (rule.type) {
    case 'item_total':
      return explainItemTotal(rule, order);
    case 'product':
      return PRODUCT_REFUSALS[rule.match_policy ?? 'any'];
    case 'taxon':
      return TAXON_REFUSALS[rule.match_policy ?? 'any'];
    case 'user':
      return order.user_id === null ? SIGN_IN : 'This coupon code is for other customers.';
    case 'first_order':
      return order.has_buyer
        ? 'This coupon code can only be applied to your first order.'
        : 'You need to login or provide your email before applying this coupon code.';
    case 'one_use_per_user':
      return order.user_id === null ? SIGN_IN : 'This coupon code can only be used once per user.';
  }
}

const SIGN_IN = 'You need to login before applying this coupon code.';

const PRODUCT_REFUSALS: Record<ProductPolicy, string> = {
  any: 'You need to add an applicable product before applying this coupon code.',
  all: "This coupon code can't be applied because you don't have all of the necessary products in your cart.",
  none: 'Your cart contains a product that prevents this coupon code from being applied.',
};

const TAXON_REFUSALS: Record<ProductPolicy, string> = {
  any: 'You need to add a product from an applicable category before applying this coupon code.',
  all: 'You need to add a product from all applicable categories before applying this coupon code.',
  none: 'Your cart contains a product from an excluded category that prevents this coupon code from being applied.',
};

function explainItemTotal({ amount_min, amount_max, currency }: PromotionRule, order: PurchaseFacts): string {
  if (currency === null || currency !== order.currency) {
    return "This coupon code can't be applied to orders in this currency.";
  }
  if (amount_min !== null && order.item_total < toAmount(amount_min)) {
    return `This coupon code can't be applied to orders less than ${displayMoney(amount_min, order)}.`;
  }
  return `This coupon code can't be applied to orders higher than ${displayMoney(amount_max ?? '0', order)}.`;
}

/**
 * Returns the ids of the line items that line discounts apply to: those that match the product and taxon rules. With
 * match policy `any`, only the rules that the order meets count, or all rules if it meets none.
 */
export function selectActionableLineIds(promotion: ConditionalPromotion, order: PurchaseFacts): Set<number> {
  const { rules, match_policy } = promotion;
  const metRules = rules.filter((rule) => isMet(rule, promotion.id, order));
  const countedRules = match_policy === 'all' || metRules.length === 0 ? rules : metRules;
  const lines = order.lines.filter((line) => {
    if (countedRules.length === 0) return true;
    const hasMatch = (rule: PromotionRule): boolean => isActionable(rule, line);
    return match_policy === 'all' ? countedRules.every(hasMatch) : countedRules.some(hasMatch);
  });
  return new Set(lines.map((line) => line.id));
}

function isMet(rule: PromotionRule, promotionId: number, order: PurchaseFacts): boolean {
  switch (rule.type) {
    case 'item_total':
      return isWithin(rule, order);
    case 'product':
      return matchesPolicy(rule, rule.product_ids, (id) =>
        order.lines.some((line) => line.product_id === id),
      );
    case 'taxon':
      return matchesPolicy(rule, rule.taxon_ids, (id) => order.lines.some((line) => line.taxon_ids.has(id)));
    case 'user':
      return order.user_id !== null && rule.user_ids.includes(order.user_id);
    case 'first_order':
      return order.has_buyer && !order.has_bought_before && !order.used_promotion_ids.has(promotionId);
    case 'one_use_per_user':
      return order.user_id !== null && !order.used_promotion_ids.has(promotionId);
  }
}

function isWithin({ amount_min, amount_max, currency }: PromotionRule, order: PurchaseFacts): boolean {
  if (currency !== order.currency) return false;
  if (amount_min !== null && order.item_total < toAmount(amount_min)) return false;
  return amount_max === null || order.item_total <= toAmount(amount_max);
}

/** A rule whose products or taxons are all deleted is never met: it must not become a rule for every order. */
function matchesPolicy(
  rule: PromotionRule,
  ids: readonly number[],
  isInOrder: (id: number) => boolean,
): boolean {
  if (ids.length === 0) return false;
  if (rule.match_policy === 'none') return !ids.some(isInOrder);
  return rule.match_policy === 'all' ? ids.every(isInOrder) : ids.some(isInOrder);
}

function isActionable(rule: PromotionRule, line: LineFacts): boolean {
  const isNone = rule.match_policy === 'none';
  if (rule.type === 'product') return rule.product_ids.includes(line.product_id) !== isNone;
  if (rule.type === 'taxon') return rule.taxon_ids.some((id) => line.taxon_ids.has(id)) !== isNone;
  return true;
}
