import { z } from 'zod';
import {
  boolean,
  choice,
  createSchema,
  decimalNumber,
  ids,
  integer,
  list,
  reference,
  text,
  timestamp,
  updateSchema,
  wrapped,
} from '../../platform/http/fields';
import { ACTION_TYPES } from '../pricing/promotion-amounts';
import { GOODS_POLICIES, MATCH_POLICIES, RULE_TYPES } from '../pricing/promotion-rules';

const AMOUNTS_ARE_IN = 'What the amounts are in; the currency of the default store unless told.';

export const PromotionRuleJson = z
  .object({
    id: z.int(),
    type: z.enum(RULE_TYPES),
    match_policy: z.enum(GOODS_POLICIES).nullable().meta({
      description:
        'Of `product` and `taxon`: whether an order must hold any of them, all or none. Taxons count with all below.',
    }),
    amount_min: z
      .string()
      .nullable()
      .meta({ description: 'Of `item_total`: price x quantity of all lines, at least.' }),
    amount_max: z.string().nullable().meta({ description: 'Of `item_total`: at most.' }),
    currency: z.string().nullable().meta({ description: 'Of `item_total`; orders in others do not fit.' }),
    product_ids: z.array(z.int()),
    taxon_ids: z.array(z.int()),
    user_ids: z.array(z.int()),
  })
  .meta({ id: 'PromotionRule' });

export type PromotionRuleJson = z.output<typeof PromotionRuleJson>;

export const PromotionActionJson = z
  .object({
    id: z.int(),
    type: z.enum(ACTION_TYPES),
    percent: z
      .string()
      .nullable()
      .meta({ description: '12.5 for 12.5 percent. Of `order_percent`, `line_percent`.' }),
    amount: z.string().nullable().meta({ description: 'Of `order_amount`, `line_amount`.' }),
    currency: z.string().nullable().meta({ description: 'Of the amount; orders in others get nothing.' }),
  })
  .meta({ id: 'PromotionAction' });

export type PromotionActionJson = z.output<typeof PromotionActionJson>;

export const PromotionJson = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    code: z.string().nullable().meta({
      description: 'What shoppers enter, in any letter case. Null: automatic, every order that fits has it.',
    }),
    path: z.string().nullable().meta({ description: 'The page of the shop that tells of it.' }),
    type: z.string().nullable().meta({ description: 'A word of your own to sort promotions by.' }),
    starts_at: z.string().nullable(),
    expires_at: z.string().nullable(),
    usage_limit: z.int().nullable().meta({ description: 'How many orders may be completed with it.' }),
    usage_count: z.int().meta({ description: 'How many were; canceled ones do not count.' }),
    match_policy: z.enum(MATCH_POLICIES).meta({ description: 'Whether all rules must hold, or one.' }),
    advertise: z.boolean(),
    rules: z.array(PromotionRuleJson),
    actions: z.array(PromotionActionJson),
  })
  .meta({ id: 'Promotion' });

export type PromotionJson = z.output<typeof PromotionJson>;

/** What amounts of orders may come to. */
const LARGEST = '999999999999999999.99';

/** Older clients name classes: `Store::Promotion::Rules::ItemTotal` is `item_total`. */
function fromClassName(raw: unknown): unknown {
  if (typeof raw !== 'string' || !raw.includes('::')) return raw;
  const name = raw.slice(raw.lastIndexOf(':') + 1);
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}

const RuleRow = z.object({
  id: reference().optional,
  _destroy: boolean().optional,
  type: z.preprocess(fromClassName, choice(RULE_TYPES).optional),
  match_policy: choice(GOODS_POLICIES).optional,
  amount_min: decimalNumber({ min: '0', max: LARGEST }).optional,
  amount_max: decimalNumber({ min: '0', max: LARGEST }).optional,
  currency: text({ trim: true, max: 3 }).optional.meta({ description: AMOUNTS_ARE_IN }),
  product_ids: ids().optional,
  taxon_ids: ids().optional,
  user_ids: ids().optional,
});

const ActionRow = z.object({
  id: reference().optional,
  _destroy: boolean().optional,
  type: z.preprocess(fromClassName, choice(ACTION_TYPES).optional),
  percent: decimalNumber({ min: '0.01', max: '100' }).optional,
  amount: decimalNumber({ min: '0.01', max: '99999999.99' }).optional,
  currency: text({ trim: true, max: 3 }).optional.meta({ description: AMOUNTS_ARE_IN }),
});

const fields = {
  name: text({ trim: true }),
  description: text(),
  code: text({ trim: true }),
  path: text({ trim: true }),
  type: text({ trim: true }),
  starts_at: timestamp(),
  expires_at: timestamp(),
  usage_limit: integer({ min: 1 }),
  match_policy: choice(MATCH_POLICIES),
  advertise: boolean(),
};

export const PROMOTION_ATTRIBUTES = ['id', ...Object.keys(fields), 'rules', 'actions'];
export const PROMOTION_REQUIRED = ['name'] as const;

const ROWS_OF =
  'With `id` a change, with `_destroy` a removal, else a new one; those not named stay. At most 50, in a body and in all.';

const parts = {
  rules: list(RuleRow).meta({ description: ROWS_OF }),
  promotion_rules_attributes: list(RuleRow).meta({ description: 'The same as `rules`.' }),
  actions: list(ActionRow).meta({ description: ROWS_OF }),
  promotion_actions_attributes: list(ActionRow).meta({ description: 'The same as `actions`.' }),
};

export const PromotionCreate = wrapped('promotion', createSchema(fields, PROMOTION_REQUIRED).extend(parts));
export const PromotionUpdate = wrapped('promotion', updateSchema(fields, PROMOTION_REQUIRED).extend(parts));

export type PromotionAttributes = z.output<typeof PromotionCreate>['promotion'];
export type PromotionChanges = z.output<typeof PromotionUpdate>['promotion'];
