import type { FieldErrors } from '../../platform/errors';
import { isBlank } from '../../platform/blank';
import { compareDecimals } from '../../platform/money';
import type { ActionType } from '../pricing/promotion-amounts';
import type { PromotionActionRow, PromotionRuleRow } from '../pricing/promotion-graph';
import type { PromotionRule, RuleType } from '../pricing/promotion-rules';

const BLANK = "can't be blank";
const INVALID = 'is invalid';

/** Every rule is asked, and every action reckoned, with each change of any order. */
const MOST_PARTS = 50;

/** What a body says of a part: what it leaves out (undefined) stays, or is a default. */
type PartInput<T> = { [K in keyof T]?: T[K] | null | undefined };

type Read<T> = { part: T } | { errors: FieldErrors };

/** An id a rule may name twice is one; what rules name beyond their type is dropped. */
const NAMES: Partial<Record<RuleType, 'product_ids' | 'taxon_ids' | 'user_ids'>> = {
  product: 'product_ids',
  taxon: 'taxon_ids',
  user: 'user_ids',
};

/**
 * A rule as it is going to be: what is said, over what it was (`before`; null: a new one). Only the parameters of its
 * type are kept; the type of a rule does not change.
 * @returns errors by the rule's own field names
 */
export function readRule(
  said: PartInput<PromotionRule>,
  before: PromotionRuleRow | null,
  currency: string,
): Read<PromotionRule> {
  const type = before?.type ?? said.type;
  if (type == null) return { errors: { type: [BLANK] } };
  const isOfGoods = type === 'product' || type === 'taxon';
  const isOfAmounts = type === 'item_total';
  const { amount_min = before?.amount_min ?? null, amount_max = before?.amount_max ?? null } = said;
  const rule: PromotionRule = {
    type,
    match_policy: isOfGoods ? (said.match_policy ?? before?.match_policy ?? 'any') : null,
    amount_min: isOfAmounts ? amount_min : null,
    amount_max: isOfAmounts ? amount_max : null,
    currency: isOfAmounts ? (readCurrency(said.currency) ?? before?.currency ?? currency) : null,
    product_ids: [],
    taxon_ids: [],
    user_ids: [],
  };
  const names = NAMES[type];
  const named = names === undefined ? {} : { [names]: said[names] ?? before?.[names] ?? [] };
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
  if (!isCurrency(rule.currency)) return { currency: [INVALID] };
  if (amount_min === null && amount_max === null) return { amount_min: [BLANK] };
  if (amount_min === null || amount_max === null || compareDecimals(amount_min, amount_max) <= 0) return {};
  return { amount_max: [`must be greater than or equal to ${amount_min}`] };
}

const UNITS: Record<ActionType, 'percent' | 'amount' | null> = {
  order_percent: 'percent',
  line_percent: 'percent',
  order_amount: 'amount',
  line_amount: 'amount',
  free_shipping: null,
};

/** An action as it is going to be; as `readRule`. */
export function readAction(
  said: PartInput<Omit<PromotionActionRow, 'id'>>,
  before: PromotionActionRow | null,
  currency: string,
): Read<Omit<PromotionActionRow, 'id'>> {
  const type = before?.type ?? said.type;
  if (type == null) return { errors: { type: [BLANK] } };
  const unit = UNITS[type];
  const { percent = before?.percent ?? null, amount = before?.amount ?? null } = said;
  const part = {
    type,
    percent: unit === 'percent' ? percent : null,
    amount: unit === 'amount' ? amount : null,
    currency: unit === 'amount' ? (readCurrency(said.currency) ?? before?.currency ?? currency) : null,
  };
  if (unit !== null && part[unit] === null) return { errors: { [unit]: [BLANK] } };
  if (unit === 'amount' && !isCurrency(part.currency)) return { errors: { currency: [INVALID] } };
  return { part };
}

/**
 * Whether a promotion that holds `held` may be told `rows`, which are written one by one: not more than 50, nor more
 * than 50 parts after them.
 */
export function hasTooManyParts(
  held: readonly { id: number }[],
  rows: readonly { id?: number | null | undefined; _destroy?: boolean | null | undefined }[],
): boolean {
  const removed = new Set(rows.filter(({ _destroy }) => _destroy === true).map(({ id }) => id));
  const kept = held.filter(({ id }) => !removed.has(id));
  const added = rows.filter(({ id, _destroy }) => id == null && _destroy !== true);
  return rows.length > MOST_PARTS || kept.length + added.length > MOST_PARTS;
}

export const TOO_MANY = `is too long (maximum is ${MOST_PARTS} entries)`;

function readCurrency(text: string | null | undefined): string | null {
  return isBlank(text) ? null : text.toUpperCase();
}

function isCurrency(code: string | null): boolean {
  return code !== null && /^[A-Z]{3}$/.test(code);
}
