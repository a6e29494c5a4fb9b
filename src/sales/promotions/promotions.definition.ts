import { z } from 'zod';
import {
  boolean as booleanField,
  choice as choiceField,
  decimalNumber,
  ids,
  list,
  reference,
  text as textField,
} from '../../platform/http/fields';
import { boolean, choice, integer, text, timestamp } from '../../platform/resource/columns';
import { defineResource, type JsonOf } from '../../platform/resource/definition';
import { ACTION_TYPES, ACTIONS, listActionTypes } from '../order/action-types';
import { PRODUCT_POLICIES, MATCH_POLICIES, RULE_TYPES } from '../pricing/promotion-rules';
import { namedObject } from '../../platform/http/named-object';

/** Names the types of actions with this parameter: `order_percent` and `line_percent`. */
const typesWith = (parameter: 'percent' | 'amount'): string =>
  new Intl.ListFormat('en-GB').format(listActionTypes({ parameter }).map((type) => `\`${type}\``));

const AMOUNTS_ARE_IN = "Currency of the amounts. Defaults to the default store's.";

export const PromotionRuleJson = namedObject('PromotionRule', {
  id: z.int(),
  type: z
    .enum(RULE_TYPES)
    .describe(
      'What the rule checks: `item_total` the value of the items, `product` and `taxon` the contents, `user` the account, `first_order` and `one_use_per_user` its orders.',
    ),
  match_policy: z
    .enum(PRODUCT_POLICIES)
    .nullable()
    .describe(
      'For `product` and `taxon`: whether an order must contain any, all or none of them. Taxons include their descendants.',
    ),
  amount_min: z
    .string()
    .nullable()
    .describe('For `item_total`: the minimum of price x quantity of all line items.'),
  amount_max: z.string().nullable().describe('For `item_total`: the maximum.'),
  currency: z.string().nullable().describe('For `item_total`; orders in other currencies do not qualify.'),
  product_ids: z.array(z.int()).describe('For `product`: the ids of the products.'),
  taxon_ids: z.array(z.int()).describe('For `taxon`: the ids of the taxons.'),
  user_ids: z.array(z.int()).describe('For `user`: the ids of the accounts.'),
});

export type PromotionRuleJson = z.output<typeof PromotionRuleJson>;

export const PromotionActionJson = namedObject('PromotionAction', {
  id: z.int(),
  type: z
    .enum(ACTION_TYPES)
    .describe(
      ['What the action does.', ...ACTION_TYPES.map((type) => `\`${type}\`: ${ACTIONS[type].title}.`)].join(
        ' ',
      ),
    ),
  percent: z
    .string()
    .nullable()
    .describe(`For ${typesWith('percent')}: 12.5 is 12.5 percent.`),
  amount: z
    .string()
    .nullable()
    .describe(`For ${typesWith('amount')}.`),
  currency: z
    .string()
    .nullable()
    .describe('Currency of the amount; orders in other currencies get no discount.'),
});

export type PromotionActionJson = z.output<typeof PromotionActionJson>;

/** The largest amount of an order. */
const LARGEST = '999999999999999999.99';

/** Converts the class names of older clients: `Store::Promotion::Rules::ItemTotal` becomes `item_total`. */
function parseClassName(raw: unknown): unknown {
  if (typeof raw !== 'string' || !raw.includes('::')) return raw;
  const name = raw.slice(raw.lastIndexOf(':') + 1);
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}

const RuleRow = z.object({
  id: reference().optional,
  _destroy: booleanField().optional,
  type: z
    .preprocess(parseClassName, choiceField(RULE_TYPES).optional)
    .describe('What the rule checks. Required for a new rule.'),
  match_policy: choiceField(PRODUCT_POLICIES).optional.describe(
    'For `product` and `taxon`: whether an order must contain any, all or none of them. Defaults to `any`.',
  ),
  amount_min: decimalNumber({ min: '0', max: LARGEST }).optional.describe(
    'For `item_total`: the minimum of price x quantity of all line items.',
  ),
  amount_max: decimalNumber({ min: '0', max: LARGEST }).optional.describe(
    'For `item_total`: the maximum. Null without one.',
  ),
  currency: textField({ trim: true, max: 3 }).optional.describe(AMOUNTS_ARE_IN),
  product_ids: ids().optional.describe('For `product`: the ids of the products.'),
  taxon_ids: ids().optional.describe('For `taxon`: the ids of the taxons.'),
  user_ids: ids().optional.describe('For `user`: the ids of the accounts.'),
});

const ActionRow = z.object({
  id: reference().optional,
  _destroy: booleanField().optional,
  type: z
    .preprocess(parseClassName, choiceField(ACTION_TYPES).optional)
    .describe('What the action does. Required for a new action.'),
  percent: decimalNumber({ min: '0.01', max: '100' }).optional.describe(
    `For ${typesWith('percent')}: 12.5 is 12.5 percent.`,
  ),
  amount: decimalNumber({ min: '0.01', max: '99999999.99' }).optional.describe(
    `For ${typesWith('amount')}: the amount off, as a decimal.`,
  ),
  currency: textField({ trim: true, max: 3 }).optional.describe(AMOUNTS_ARE_IN),
});

const ROWS_OF =
  'An entry with `id` updates, with `_destroy` deletes, and without `id` creates. Others are kept. At most 50, per request and in total.';

const RuleRows = list(RuleRow);
const ActionRows = list(ActionRow);

/** A promotion with its rules and actions. A promotion without a code is automatic. */
export const Promotion = defineResource({
  table: 'promotions',
  name: 'promotion',
  schema: 'Promotion',
  deletion: 'hard',
  fields: {
    name: {
      type: text({ trim: true }),
      required: true,
      search: true,
      description: 'The name, which labels the discount in orders.',
    },
    description: {
      type: text(),
      nullable: true,
      search: true,
      description: 'A description for shoppers. Null without one.',
    },
    code: {
      type: text({ trim: true }),
      nullable: true,
      search: true,
      description:
        'The coupon code, case-insensitive; full-width letters become usual ones. Null: automatic, applied to every order that qualifies.',
    },
    path: {
      type: text({ trim: true }),
      nullable: true,
      search: true,
      description: 'Path of the page that describes the promotion.',
    },
    type: {
      type: text({ trim: true }),
      nullable: true,
      search: true,
      description: 'A category of your own.',
    },
    starts_at: {
      type: timestamp(),
      nullable: true,
      search: true,
      reply: z.string(),
      description: 'When the promotion begins. Null: it has begun.',
    },
    expires_at: {
      type: timestamp(),
      nullable: true,
      search: true,
      reply: z.string(),
      description: 'When the promotion ends. Null: it does not end.',
    },
    usage_limit: {
      type: integer({ min: 1 }),
      nullable: true,
      search: true,
      description: 'How many orders may use the promotion.',
    },
    usage_count: {
      reply: z.int().describe('How many orders use the promotion; canceled orders do not count.'),
    },
    match_policy: {
      type: choice(MATCH_POLICIES),
      default: 'all',
      description: 'Whether all rules must be met, or any.',
    },
    advertise: {
      type: boolean(),
      default: false,
      search: true,
      description: 'Whether storefronts may advertise the promotion.',
    },
    created_at: { search: 'timestamp' },
    updated_at: { search: 'timestamp' },
    rules: {
      reply: z.array(PromotionRuleJson),
      input: RuleRows.describe(ROWS_OF),
      listed: true,
      description: 'The conditions that an order must meet.',
    },
    promotion_rules_attributes: { input: RuleRows.describe('The same as `rules`.') },
    actions: {
      reply: z.array(PromotionActionJson),
      input: ActionRows.describe(ROWS_OF),
      listed: true,
      description: 'What the promotion does to an order that meets its rules.',
    },
    promotion_actions_attributes: { input: ActionRows.describe('The same as `actions`.') },
  },
});

export type PromotionJson = JsonOf<typeof Promotion>;
