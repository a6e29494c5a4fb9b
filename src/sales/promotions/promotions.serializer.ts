import { decimal } from '../../platform/money';
import type { PromotionActionRow, PromotionGraph, PromotionRuleRow } from '../pricing/promotion-graph';
import type { PromotionActionJson, PromotionJson, PromotionRuleJson } from './promotions.schema';

export function serializePromotion(promotion: PromotionGraph & { usage_count: number }): PromotionJson {
  const { id, name, description, code, path, type, usage_limit, usage_count, match_policy, advertise } =
    promotion;
  return {
    ...{ id, name, description, code, path, type, usage_limit, usage_count, match_policy, advertise },
    starts_at: promotion.starts_at?.toISOString() ?? null,
    expires_at: promotion.expires_at?.toISOString() ?? null,
    rules: promotion.rules.map(serializeRule),
    actions: promotion.actions.map(serializeAction),
  };
}

function serializeRule(rule: PromotionRuleRow): PromotionRuleJson {
  const { id, type, match_policy, currency } = rule;
  return {
    ...{ id, type, match_policy, currency },
    amount_min: decimal(rule.amount_min),
    amount_max: decimal(rule.amount_max),
    product_ids: [...rule.product_ids],
    taxon_ids: [...rule.taxon_ids],
    user_ids: [...rule.user_ids],
  };
}

function serializeAction({ id, type, percent, amount, currency }: PromotionActionRow): PromotionActionJson {
  return { id, type, currency, percent: decimal(percent), amount: decimal(amount) };
}
