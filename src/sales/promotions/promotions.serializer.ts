import { formatDecimal } from '../../platform/money';
import type { PromotionActionRow, PromotionGraph, PromotionRuleRow } from '../pricing/promotion-graph';
import {
  Promotion,
  type PromotionActionJson,
  type PromotionJson,
  type PromotionRuleJson,
} from './promotions.definition';

export function serializePromotion(promotion: PromotionGraph & { usage_count: number }): PromotionJson {
  return Promotion.serialize(promotion, {
    usage_count: promotion.usage_count,
    rules: promotion.rules.map(serializeRule),
    actions: promotion.actions.map(serializeAction),
  });
}

function serializeRule(rule: PromotionRuleRow): PromotionRuleJson {
  const { id, type, match_policy, currency } = rule;
  return {
    id,
    type,
    match_policy,
    currency,
    amount_min: formatDecimal(rule.amount_min),
    amount_max: formatDecimal(rule.amount_max),
    product_ids: [...rule.product_ids],
    taxon_ids: [...rule.taxon_ids],
    user_ids: [...rule.user_ids],
  };
}

function serializeAction({ id, type, percent, amount, currency }: PromotionActionRow): PromotionActionJson {
  return { id, type, currency, percent: formatDecimal(percent), amount: formatDecimal(amount) };
}
