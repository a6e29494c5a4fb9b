import { useQuery } from '@tanstack/preact-query';
import type { Promotion } from 'store-api-client';
import { ACTIONS, type ActionType } from '../../../src/sales/order/action-types';
import { useCurrency } from '../currency';
import { idsOf, isOn, optional, textOf, toChoices, wholeOf, type Values } from '../parts/fields';
import { requestsOf } from '../parts/requests';
import { ResourcePage } from '../parts/resource';
import { taxonsQuery } from '../queries';
import { writeAmount } from '../rules/amounts';
import { fromLocal, toLocal } from '../rules/local-time';
import { changeActions, changeRules } from '../rules/promotion-parts';
import { dateOf, moneyOf, pathOf } from '../words';

const toAction = (text: string): ActionType =>
  Object.hasOwn(ACTIONS, text) ? (text as ActionType) : 'order_percent';

const parameterOf = (values: Values) => ACTIONS[toAction(textOf(values, 'action'))].parameter;
const isPercent = (values: Values): boolean => parameterOf(values) === 'percent';
const isAmount = (values: Values): boolean => parameterOf(values) === 'amount';

/** Returns what a promotion gives. */
const describe = ({ actions }: Promotion): string =>
  actions
    .map(({ type, percent, amount, currency }) => {
      const { title, parameter } = ACTIONS[type];
      if (parameter === null) return title;
      return `${title}: ${percent === null ? moneyOf(amount ?? '', currency ?? '') : `${Number(percent)} %`}`;
    })
    .join('; ');

const CONDITIONS = {
  item_total: 'from an amount',
  taxon: 'in categories',
  product: 'with products',
  user: 'for accounts',
  first_order: 'first order',
  one_use_per_user: 'once for each account',
} as const;

type Rule = Promotion['rules'][number];

/** Returns which orders a rule admits, with its amount or the names of its categories. */
function describeRule(
  { type, amount_min, currency, taxon_ids }: Rule,
  taxons: readonly { id: number; name: string }[],
): string {
  if (type === 'item_total' && amount_min !== null) return `from ${moneyOf(amount_min, currency ?? '')}`;
  const names = taxons.filter(({ id }) => taxon_ids?.includes(id) === true).map(({ name }) => name);
  return type === 'taxon' && names.length > 0 ? `in ${names.join(', ')}` : CONDITIONS[type];
}

function toBody(values: Values, before: Promotion | null) {
  const type = toAction(textOf(values, 'action'));
  return {
    promotion: {
      name: textOf(values, 'name'),
      description: optional(values, 'description'),
      code: optional(values, 'code'),
      usage_limit: wholeOf(values, 'usage_limit'),
      starts_at: fromLocal(optional(values, 'starts_at'), before?.starts_at ?? null),
      expires_at: fromLocal(optional(values, 'expires_at'), before?.expires_at ?? null),
      rules: changeRules(
        {
          amount_min: textOf(values, 'rules.amount_min'),
          taxon_ids: idsOf(values, 'rules.taxon_ids'),
          first_order: isOn(values, 'first_order'),
          one_use_per_user: isOn(values, 'one_use_per_user'),
        },
        before?.rules ?? [],
      ),
      actions: changeActions(
        { type, percent: textOf(values, 'actions.percent'), amount: textOf(values, 'actions.amount') },
        before?.actions ?? [],
      ),
    },
  };
}

/** Coupons and discounts. */
export function Promotions() {
  const { data: taxons = [] } = useQuery(taxonsQuery);
  const currency = useCurrency();
  const ruleOf = (promotion: Promotion | null, type: keyof typeof CONDITIONS) =>
    promotion?.rules.find((rule) => rule.type === type);
  return (
    <ResourcePage<Promotion>
      title="Promotions"
      one="promotion"
      path="/promotions"
      scope="settings:write"
      perPage={50}
      removal="Orders keep their discounts; carts lose them."
      intro="Carts get it at once; orders keep what they have."
      nameOf={({ name }) => name}
      columns={[
        { name: 'Code', cell: ({ code }) => code },
        { name: 'Gives', cell: describe },
        {
          name: 'For orders',
          cell: ({ rules }) => rules.map((rule) => describeRule(rule, taxons)).join(', ') || 'all',
        },
        {
          name: 'Used',
          isNumber: true,
          cell: ({ usage_count, usage_limit }) =>
            usage_limit === null ? usage_count : `${usage_count} of ${usage_limit}`,
        },
        { name: 'Until', cell: ({ expires_at }) => dateOf(expires_at) },
      ]}
      fields={[
        { name: 'name', label: 'Name', isRequired: true },
        { name: 'description', label: 'Description' },
        { name: 'code', label: 'Coupon code', hint: 'Empty: every order that qualifies gets it.' },
        {
          name: 'action',
          label: 'Gives',
          kind: 'choice',
          isRequired: true,
          choices: Object.entries(ACTIONS).map(([value, { title }]) => ({ value, name: title })),
        },
        { name: 'actions.percent', label: 'Percent', kind: 'amount', isRequired: true, isShown: isPercent },
        { name: 'actions.amount', label: 'Amount', kind: 'amount', isRequired: true, isShown: isAmount },
        { name: 'rules.amount_min', label: 'Items cost at least (optional)', kind: 'amount' },
        {
          name: 'rules.taxon_ids',
          label: 'With an item of',
          kind: 'many',
          hint: 'None chosen: of any.',
          choices: toChoices(taxons.map((taxon) => ({ id: taxon.id, name: pathOf(taxon) }))),
        },
        { name: 'first_order', label: 'First order of an account', kind: 'check' },
        { name: 'one_use_per_user', label: 'Once for each account', kind: 'check' },
        { name: 'usage_limit', label: 'Orders at most (optional)', kind: 'whole' },
        { name: 'starts_at', label: 'From (optional)', kind: 'time' },
        { name: 'expires_at', label: 'Until (optional)', kind: 'time' },
      ]}
      toValues={(promotion) => ({
        name: promotion?.name ?? '',
        description: promotion?.description ?? '',
        code: promotion?.code ?? '',
        usage_limit: String(promotion?.usage_limit ?? ''),
        action: promotion?.actions[0]?.type ?? 'order_percent',
        'actions.percent': promotion?.actions[0]?.percent ?? '',
        'actions.amount': writeAmount(promotion?.actions[0]?.amount ?? '', currency),
        'rules.amount_min': writeAmount(ruleOf(promotion, 'item_total')?.amount_min ?? '', currency),
        'rules.taxon_ids': (ruleOf(promotion, 'taxon')?.taxon_ids ?? []).map(String),
        first_order: ruleOf(promotion, 'first_order') !== undefined,
        one_use_per_user: ruleOf(promotion, 'one_use_per_user') !== undefined,
        starts_at: toLocal(promotion?.starts_at ?? null),
        expires_at: toLocal(promotion?.expires_at ?? null),
      })}
      {...requestsOf('/api/v1/promotions', toBody)}
    />
  );
}
