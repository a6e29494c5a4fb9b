import fc from 'fast-check';
import { toAmount } from '../../../src/platform/money';
import {
  findRefusal,
  selectActionableLineIds,
  isEligible,
  type ConditionalPromotion,
  type PromotionRule,
  type PurchaseFacts,
  type RuleType,
} from '../../../src/sales/pricing/promotion-rules';

const PROMOTION_ID = 7;

const noRule: Omit<PromotionRule, 'type'> = {
  match_policy: null,
  amount_min: null,
  amount_max: null,
  currency: null,
  product_ids: [],
  taxon_ids: [],
  user_ids: [],
};

const rule = (type: RuleType, terms: Partial<PromotionRule> = {}): PromotionRule => ({
  ...noRule,
  type,
  ...terms,
});

const promotion = (rules: PromotionRule[], match_policy: 'all' | 'any' = 'all'): ConditionalPromotion => ({
  id: PROMOTION_ID,
  match_policy,
  rules,
});

/** A bag (line 1, product 10, taxons 100 and 101) and a mug (line 2, product 20, taxon 100). */
const order: PurchaseFacts = {
  currency: 'USD',
  money_format: null,
  item_total: toAmount('50'),
  lines: [
    { id: 1, product_id: 10, taxon_ids: new Set([100, 101]) },
    { id: 2, product_id: 20, taxon_ids: new Set([100]) },
  ],
  user_id: 5,
  has_buyer: true,
  has_bought_before: false,
  used_promotion_ids: new Set(),
};

const usd = { currency: 'USD' };

test.each<[PromotionRule, Partial<PurchaseFacts>, boolean]>([
  [rule('item_total', { ...usd, amount_min: '50.00' }), {}, true],
  [rule('item_total', { ...usd, amount_min: '50.01' }), {}, false],
  [rule('item_total', { ...usd, amount_max: '50.00' }), {}, true],
  [rule('item_total', { ...usd, amount_max: '49.99' }), {}, false],
  [rule('item_total', { ...usd, amount_min: '10', amount_max: '60' }), {}, true],
  [rule('item_total', { ...usd, amount_min: '10' }), { currency: 'EUR' }, false],
  [rule('product', { match_policy: 'any', product_ids: [20, 30] }), {}, true],
  [rule('product', { match_policy: 'any', product_ids: [30] }), {}, false],
  [rule('product', { match_policy: 'all', product_ids: [10, 20] }), {}, true],
  [rule('product', { match_policy: 'all', product_ids: [10, 30] }), {}, false],
  [rule('product', { match_policy: 'none', product_ids: [30] }), {}, true],
  [rule('product', { match_policy: 'none', product_ids: [10, 30] }), {}, false],
  [rule('taxon', { match_policy: 'any', taxon_ids: [101, 102] }), {}, true],
  [rule('taxon', { match_policy: 'any', taxon_ids: [102] }), {}, false],
  [rule('taxon', { match_policy: 'all', taxon_ids: [100, 101] }), {}, true],
  [rule('taxon', { match_policy: 'all', taxon_ids: [100, 102] }), {}, false],
  [rule('user', { user_ids: [4, 5] }), {}, true],
  [rule('user', { user_ids: [4] }), {}, false],
  [rule('user', { user_ids: [5] }), { user_id: null }, false],
  [rule('first_order'), {}, true],
  [rule('first_order'), { user_id: null, has_buyer: true }, true],
  [rule('first_order'), { user_id: null, has_buyer: false }, false],
  [rule('first_order'), { has_bought_before: true }, false],
  [rule('first_order'), { used_promotion_ids: new Set([PROMOTION_ID]) }, false],
  [rule('one_use_per_user'), {}, true],
  [rule('one_use_per_user'), { has_bought_before: true, used_promotion_ids: new Set([8]) }, true],
  [rule('one_use_per_user'), { used_promotion_ids: new Set([PROMOTION_ID]) }, false],
  [rule('one_use_per_user'), { user_id: null }, false],
])('rule %j with %j: %s', (one, facts, isMet) => {
  expect(isEligible(promotion([one]), { ...order, ...facts })).toBe(isMet);
});

test.each(['any', 'all', 'none'] as const)(
  'a rule without products or taxons (%s) is never met',
  (match_policy) => {
    expect(isEligible(promotion([rule('product', { match_policy })]), order)).toBe(false);
    expect(isEligible(promotion([rule('taxon', { match_policy })]), order)).toBe(false);
  },
);

const ids = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 });
const anyRule = fc.oneof(
  fc
    .record({
      match_policy: fc.constantFrom('any' as const, 'all' as const, 'none' as const),
      product_ids: ids,
    })
    .map((terms) => rule('product', terms)),
  fc.integer({ min: 0, max: 100 }).map((min) => rule('item_total', { ...usd, amount_min: String(min) })),
  ids.map((user_ids) => rule('user', { user_ids })),
  fc.constant(rule('first_order')),
);
const anyOrder = fc.record({
  currency: fc.constant('USD'),
  money_format: fc.constant(null),
  item_total: fc.integer({ min: 0, max: 100 }).map((total) => toAmount(String(total))),
  lines: fc
    .array(fc.integer({ min: 1, max: 4 }), { maxLength: 4 })
    .map((products) =>
      products.map((product_id, index) => ({ id: index + 1, product_id, taxon_ids: new Set<number>() })),
    ),
  user_id: fc.constantFrom(null, 1, 2),
  has_buyer: fc.boolean(),
  has_bought_before: fc.boolean(),
  used_promotion_ids: fc.constant(new Set<number>()),
});

test('all requires every rule, any requires one; without rules every order is eligible', () => {
  fc.assert(
    fc.property(fc.array(anyRule, { maxLength: 3 }), anyOrder, (rules, facts) => {
      const alone = rules.map((one) => isEligible(promotion([one]), facts));
      expect(isEligible(promotion(rules, 'all'), facts)).toBe(alone.every(Boolean));
      expect(isEligible(promotion(rules, 'any'), facts)).toBe(rules.length === 0 || alone.some(Boolean));
    }),
  );
});

test.each<[string | null, PromotionRule, Partial<PurchaseFacts>]>([
  ['can only be applied to your first order.', rule('first_order'), { has_bought_before: true }],
  ['or provide your email before applying this coupon code.', rule('first_order'), { has_buyer: false }],
  ["can't be applied to orders in this currency.", rule('item_total', { ...usd }), { currency: 'EUR' }],
  ["can't be applied to orders less than $60.00.", rule('item_total', { ...usd, amount_min: '60' }), {}],
  ["can't be applied to orders higher than $40.00.", rule('item_total', { ...usd, amount_max: '40' }), {}],
  [null, rule('item_total', { ...usd, amount_min: '50' }), {}],
  ['This coupon code is for other customers.', rule('user', { user_ids: [4] }), {}],
  ['You need to login before', rule('user', { user_ids: [5] }), { user_id: null }],
  ['once per user.', rule('one_use_per_user'), { used_promotion_ids: new Set([PROMOTION_ID]) }],
  ['You need to login before', rule('one_use_per_user'), { user_id: null }],
])('the refusal of a promotion says: %s', (refusal, one, changes) => {
  const found = findRefusal(promotion([one]), { ...order, ...changes });
  expect(found).toEqual(refusal === null ? null : expect.stringContaining(refusal));
});

describe('line items that line discounts apply to', () => {
  const bag = rule('product', { match_policy: 'any', product_ids: [10] });
  const large = rule('item_total', { ...usd, amount_min: '40' });
  const larger = rule('item_total', { ...usd, amount_min: '60' });
  const missing = rule('product', { match_policy: 'any', product_ids: [30] });

  test.each<[string, ConditionalPromotion, number[]]>([
    ['all without rules', promotion([]), [1, 2]],
    ['all without rules, if any rule suffices', promotion([], 'any'), [1, 2]],
    ['all if no rule has products or taxons', promotion([large]), [1, 2]],
    ['those of the products of a rule', promotion([bag]), [1]],
    [
      'all except excluded ones',
      promotion([rule('product', { match_policy: 'none', product_ids: [10] })]),
      [2],
    ],
    ['those of a taxon', promotion([rule('taxon', { match_policy: 'any', taxon_ids: [101] })]), [1]],
    [
      'those of one taxon of several',
      promotion([rule('taxon', { match_policy: 'any', taxon_ids: [101, 999] })]),
      [1],
    ],
    ['those that match every rule', promotion([bag, large]), [1]],
    ['those that match every rule, also one the order does not meet', promotion([larger, bag]), [1]],
    ['those that match a rule, if the order meets none', promotion([missing], 'any'), []],
    ['those that match a rule the order meets', promotion([bag, larger], 'any'), [1]],
    ['all if the order meets a rule without products', promotion([bag, large], 'any'), [1, 2]],
  ])('%s', (_, one, lines) => {
    expect([...selectActionableLineIds(one, order)]).toEqual(lines);
  });
});
