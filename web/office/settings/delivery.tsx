import { useQuery } from '@tanstack/preact-query';
import type { ShippingCategory, ShippingMethodSettings } from 'store-api-client';
import { idsOf, optional, textOf, toChoices, wholeOf, type FieldSpec, type Values } from '../parts/fields';
import { Loaded } from '../parts/loaded';
import { requestsOf } from '../parts/requests';
import { ResourcePage } from '../parts/resource';
import { shippingCategoriesQuery, taxCategoriesQuery, zonesQuery } from '../queries';
import { moneyOf } from '../words';
import { SHOWN_TO } from './shown-to';

/** The calculators of freight, and what each needs to know. */
const CALCULATORS = {
  flat_rate: { name: 'One amount for each parcel', settings: [['amount', 'Amount']] },
  per_item: { name: 'An amount for each unit', settings: [['amount', 'Amount for each unit']] },
  flat_percent: { name: 'A percentage of the items', settings: [['flat_percent', 'Percent']] },
  price_sack: {
    name: 'Less from a value of the items on',
    settings: [
      ['minimal_amount', 'Value of the items'],
      ['normal_amount', 'Amount below it'],
      ['discount_amount', 'Amount from it on'],
    ],
  },
  flexi_rate: {
    name: 'The first unit, and less for more',
    settings: [
      ['first_item', 'Amount of the first unit'],
      ['additional_item', 'Amount of each other unit'],
      ['max_items', 'Units until the count restarts'],
    ],
  },
} as const;

type Calculator = keyof typeof CALCULATORS;

const toCalculator = (text: string): Calculator =>
  Object.hasOwn(CALCULATORS, text) ? (text as Calculator) : 'flat_rate';

const nameOfSetting = (setting: string): string => `calculator_preferences.${setting}`;

const SETTINGS: readonly FieldSpec[] = Object.entries(CALCULATORS).flatMap(([calculator, { settings }]) =>
  settings.map(([setting, label]) => ({
    name: nameOfSetting(setting),
    label,
    kind: 'amount' as const,
    isRequired: true,
    isShown: (values: Values) => textOf(values, 'calculator_type') === calculator,
  })),
);

/** The settings that are no amounts. */
const UNITS: Readonly<Record<string, (value: string) => string>> = {
  flat_percent: (value) => `${value} %`,
  max_items: (value) => `at most ${value} units`,
};

/** Returns what a calculator knows in words, such as `$9.00, $2.50, at most 4 units`. */
function writeSettings(
  calculator: Calculator,
  preferences: ShippingMethodSettings['calculator_preferences'],
): string {
  const currency = String(preferences['currency'] ?? '');
  return CALCULATORS[calculator].settings
    .map(([setting]) => ({ setting, value: String(preferences[setting] ?? '') }))
    .filter(({ value }) => value !== '')
    .map(
      ({ setting, value }) => UNITS[setting]?.(value) ?? (currency === '' ? value : moneyOf(value, currency)),
    )
    .join(', ');
}

/** The shipping methods that buyers choose from. */
export function ShippingMethods() {
  const query = useQuery(shippingCategoriesQuery);
  // A new method begins with all categories.
  return <Loaded query={query}>{(categories) => <Methods categories={categories} />}</Loaded>;
}

function Methods({ categories }: { categories: readonly ShippingCategory[] }) {
  const { data: zones = [] } = useQuery(zonesQuery);
  const { data: taxCategories = [] } = useQuery(taxCategoriesQuery);
  const body = (values: Values, before: ShippingMethodSettings | null) => {
    const calculator = toCalculator(textOf(values, 'calculator_type'));
    // What the form does not show, such as the currency, stays; another calculator has other settings.
    const kept = before?.calculator_type === calculator ? before.calculator_preferences : {};
    return {
      shipping_method: {
        name: textOf(values, 'name'),
        code: optional(values, 'code'),
        admin_name: optional(values, 'admin_name'),
        tracking_url: optional(values, 'tracking_url'),
        display_on: SHOWN_TO.read(values),
        tax_category_id: wholeOf(values, 'tax_category_id'),
        calculator_type: calculator,
        calculator_preferences: {
          ...kept,
          ...Object.fromEntries(
            CALCULATORS[calculator].settings.map(([setting]) => [
              setting,
              textOf(values, nameOfSetting(setting)),
            ]),
          ),
        },
        zone_ids: idsOf(values, 'zone_ids'),
        shipping_category_ids: idsOf(values, 'shipping_category_ids'),
      },
    };
  };
  return (
    <ResourcePage<ShippingMethodSettings>
      title="Shipping methods"
      one="shipping method"
      path="/settings/shipping-methods"
      scope="settings:write"
      removal="Buyers can no longer choose it; parcels that have it keep it."
      nameOf={({ admin_name, name }) => admin_name ?? name}
      columns={[
        { name: 'Zones', cell: (method) => method.zones.map(({ name }) => name).join(', ') },
        {
          name: 'Freight',
          cell: ({ calculator_type, calculator_preferences }) =>
            `${CALCULATORS[calculator_type].name}: ${writeSettings(calculator_type, calculator_preferences)}`,
        },
        SHOWN_TO.column,
      ]}
      fields={[
        { name: 'name', label: 'Name', isRequired: true },
        { name: 'admin_name', label: 'Name for the staff' },
        { name: 'code', label: 'Code' },
        {
          name: 'tracking_url',
          label: 'Tracking address',
          hint: 'With :tracking in place of the tracking number, such as https://carrier.example/:tracking.',
        },
        SHOWN_TO.field,
        {
          name: 'calculator_type',
          label: 'Freight',
          kind: 'choice',
          isRequired: true,
          choices: Object.entries(CALCULATORS).map(([value, { name }]) => ({ value, name })),
        },
        ...SETTINGS,
        { name: 'zone_ids', label: 'Zones', kind: 'many', choices: toChoices(zones) },
        {
          name: 'shipping_category_ids',
          label: 'Shipping categories',
          kind: 'many',
          choices: toChoices(categories),
        },
        {
          name: 'tax_category_id',
          label: 'Tax category of the freight',
          kind: 'choice',
          choices: toChoices(taxCategories),
        },
      ]}
      toValues={(method) => ({
        name: method?.name ?? '',
        admin_name: method?.admin_name ?? '',
        code: method?.code ?? '',
        tracking_url: method?.tracking_url ?? '',
        display_on: method?.display_on ?? 'both',
        calculator_type: method?.calculator_type ?? 'flat_rate',
        ...Object.fromEntries(
          Object.entries(method?.calculator_preferences ?? {}).map(([setting, value]) => [
            nameOfSetting(setting),
            String(value ?? ''),
          ]),
        ),
        zone_ids: (method?.zones ?? []).map(({ id }) => String(id)),
        shipping_category_ids: (method?.shipping_categories ?? categories).map(({ id }) => String(id)),
        tax_category_id: String(method?.tax_category_id ?? ''),
      })}
      {...requestsOf('/api/v1/shipping_methods', body)}
    />
  );
}

/** The kinds of products that are sent alike. */
export function ShippingCategories() {
  const body = (values: Values) => ({ shipping_category: { name: textOf(values, 'name') } });
  return (
    <ResourcePage<ShippingCategory>
      title="Shipping categories"
      one="shipping category"
      path="/settings/shipping-categories"
      scope="catalog:write"
      nameOf={({ name }) => name}
      columns={[]}
      fields={[{ name: 'name', label: 'Name', isRequired: true }]}
      toValues={(category) => ({ name: category?.name ?? '' })}
      {...requestsOf('/api/v1/shipping_categories', body)}
    />
  );
}
