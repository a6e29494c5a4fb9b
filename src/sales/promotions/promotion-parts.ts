import type { FieldErrors } from '../../platform/errors';
import { isBlank } from '../../platform/blank';
import { compareDecimals, isCurrency } from '../../platform/money';
import { ACTIONS } from '../order/action-types';
import type { PromotionActionRow, PromotionRuleRow } from '../pricing/promotion-graph';
import type { PromotionRule, RuleType } from '../pricing/promotion-rules';

const BLANK = "can't be blank";
const INVALID = 'is invalid';

/** Limits rules and actions, as all of them are evaluated with every change of an order. */
const MOST_PARTS = 50;

/** A rule or action in a body. Omitted fields (undefined) are kept, or get their default in a new one. */
type PartInput<T> = { [K in keyof T]?: T[K] | null | undefined };

type Read<T> = { part: T } | { errors: FieldErrors };

/** The field with the record ids of a rule, by its type; other ids are ignored. */
const NAMES: Partial<Record<RuleType, 'product_ids' | 'taxon_ids' | 'user_ids'>> = {
  product: 'product_ids',
  taxon: 'taxon_ids',
  user: 'user_ids',
};

/**
 * Merges the input for a rule into the stored rule; `before` is null for a new one. Only the parameters of its type are
 * kept. The type of a stored rule does not change.
 * @returns the rule, or errors by field
 */
export function readRule(
  input: PartInput<PromotionRule>,
  before: PromotionRuleRow | null,
  currency: string,
): Read<PromotionRule> {
  const type = before?.type ?? input.type;
  if (type == null) return { errors: { type: [BLANK] } };
  const hasMatchPolicy = type === 'product' || type === 'taxon';
  const hasAmounts = type === 'item_total';
  const { amount_min = before?.amount_min ?? null, amount_max = before?.amount_max ?? null } = input;
  const rule: PromotionRule = {
    type,
    match_policy: hasMatchPolicy ? (input.match_policy ?? before?.match_policy ?? 'any') : null,
    amount_min: hasAmounts ? amount_min : null,
    amount_max: hasAmounts ? amount_max : null,
    currency: hasAmounts ? (readCurrency(input.currency) ?? before?.currency ?? currency) : null,
    product_ids: [],
    taxon_ids: [],
    user_ids: [],
  };
  const names = NAMES[type];
  const named = names === undefined ? {} : { [names]: input[names] ?? before?.[names] ?? [] };
  const part = { ...rule, ...named };
  const errors = checkRule(part);
  return Object.keys(errors).length > 0 ? { errors } : { part };
}

function checkRule(rule: PromotionRule): FieldErrors {
  const { type, amount_min, amount_max } = rule;
  const names = NAMES[type];
  if (names !== undefined && rule[names].length === 0) return { [names]: [BLANK] };
  if (type === 'taxon' && rule.match_policy === 'none') return { match_policy: [INVALID] };
  if (type !== 'item_total') return {};
  if (rule.currency === null || !isCurrency(rule.currency)) return { currency: [INVALID] };
  if (amount_min === null && amount_max === null) return { amount_min: [BLANK] };
  if (amount_min === null || amount_max === null || compareDecimals(amount_min, amount_max) <= 0) return {};
  return { amount_max: [`must be greater than or equal to ${amount_min}`] };
}

/** Merges the input for an action into the stored action, as `readRule` does. */
export function readAction(
  input: PartInput<Omit<PromotionActionRow, 'id'>>,
  before: PromotionActionRow | null,
  currency: string,
): Read<Omit<PromotionActionRow, 'id'>> {
  const type = before?.type ?? input.type;
  if (type == null) return { errors: { type: [BLANK] } };
  const { parameter } = ACTIONS[type];
  const { percent = before?.percent ?? null, amount = before?.amount ?? null } = input;
  const part = {
    type,
    percent: parameter === 'percent' ? percent : null,
    amount: parameter === 'amount' ? amount : null,
    currency: parameter === 'amount' ? (readCurrency(input.currency) ?? before?.currency ?? currency) : null,
  };
  if (parameter !== null && part[parameter] === null) return { errors: { [parameter]: [BLANK] } };
  if (part.currency !== null && !isCurrency(part.currency)) return { errors: { currency: [INVALID] } };
  return { part };
}

/**
 * Returns whether the rows of a body exceed the limit for rules or actions: more than 50 rows, or more than 50 rules or
 * actions after applying them to `stored`.
 */
export function hasTooManyParts(
  stored: readonly { id: number }[],
  rows: readonly { id?: number | null | undefined; _destroy?: boolean | null | undefined }[],
): boolean {
  const removed = new Set(rows.filter(({ _destroy }) => _destroy === true).map(({ id }) => id));
  const kept = stored.filter(({ id }) => !removed.has(id));
  const added = rows.filter(({ id, _destroy }) => id == null && _destroy !== true);
  return rows.length > MOST_PARTS || kept.length + added.length > MOST_PARTS;
}

export const TOO_MANY = `is too long (maximum is ${MOST_PARTS} entries)`;

function readCurrency(text: string | null | undefined): string | null {
  return isBlank(text) ? null : text.toUpperCase();
}
