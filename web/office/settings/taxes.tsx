import { useQuery } from '@tanstack/preact-query';
import type { CreateZoneBody, State, TaxCategory, TaxRate, UpdateZoneBody, Zone } from 'store-api-client';
import { idsOf, isOn, optional, textOf, toChoices, wholeOf, type Values } from '../parts/fields';
import { Loaded } from '../parts/loaded';
import { requestsOf } from '../parts/requests';
import { ResourcePage } from '../parts/resource';
import { fromPercent, toPercent } from '../rules/percent';
import { countriesQuery, statesQuery, taxCategoriesQuery, zonesQuery } from '../queries';

const yes = (is: boolean): string => (is ? 'Yes' : '');

const COUNTRY = 'Store::Country';
const STATE = 'Store::State';

type Members = Zone['zone_members'];

const idsOfType = (members: Members, type: Members[number]['zoneable_type']): string[] =>
  members.filter(({ zoneable_type }) => zoneable_type === type).map(({ zoneable_id }) => String(zoneable_id));

/** Returns what the form shows of the members: the country of the first state is open. */
function toMembers(members: Members, states: readonly { id: number; country_id: number }[]): Values {
  const chosen = idsOfType(members, STATE);
  return {
    members: chosen.length > 0 ? 'states' : 'countries',
    countries: idsOfType(members, COUNTRY),
    country: String(states.find(({ id }) => String(id) === chosen[0])?.country_id ?? ''),
    states: chosen,
  };
}

/** The zones that taxes and shipping methods apply to. */
export function Zones() {
  const query = useQuery(statesQuery);
  return <Loaded query={query}>{(states) => <ZoneList states={states} />}</Loaded>;
}

function ZoneList({ states }: { states: readonly State[] }) {
  const { data: countries = [] } = useQuery(countriesQuery);
  const isOf = (name: string) => (values: Values) => textOf(values, 'members') === name;
  const withStates = countries.filter(({ id }) => states.some(({ country_id }) => country_id === id));
  const body = (values: Values): UpdateZoneBody & CreateZoneBody => ({
    zone: {
      name: textOf(values, 'name'),
      description: optional(values, 'description'),
      default_tax: isOn(values, 'default_tax'),
      zone_members:
        textOf(values, 'members') === 'states'
          ? idsOf(values, 'states').map((id) => ({ zoneable_type: STATE, zoneable_id: id }))
          : idsOf(values, 'countries').map((id) => ({ zoneable_type: COUNTRY, zoneable_id: id })),
    },
  });
  return (
    <ResourcePage<Zone>
      title="Zones"
      one="zone"
      path="/settings/zones"
      scope="settings:write"
      removal="Shipping methods no longer apply there. A zone of tax rates stays."
      nameOf={({ name }) => name}
      columns={[
        {
          name: 'Members',
          cell: ({ zone_members }) =>
            zone_members.length > 3
              ? `${zone_members.length} ${idsOfType(zone_members, STATE).length > 0 ? 'states' : 'countries'}`
              : zone_members.map(({ name }) => name).join(', '),
        },
        { name: 'For prices with tax', cell: ({ default_tax }) => yes(default_tax) },
      ]}
      fields={[
        { name: 'name', label: 'Name', isRequired: true },
        { name: 'description', label: 'Description' },
        {
          name: 'default_tax',
          label: 'Its taxes are included in the prices',
          kind: 'check',
          hint: 'One zone at most.',
        },
        {
          name: 'members',
          label: 'Consists of',
          kind: 'choice',
          isRequired: true,
          choices: [
            { value: 'countries', name: 'Countries' },
            { value: 'states', name: 'States' },
          ],
        },
        {
          name: 'countries',
          label: 'Countries',
          kind: 'many',
          choices: toChoices(countries),
          isShown: isOf('countries'),
        },
        {
          name: 'country',
          label: 'States of',
          kind: 'choice',
          isRequired: true,
          hint: 'A zone can have states of several countries: choose them one country after the other.',
          choices: toChoices(withStates),
          isShown: isOf('states'),
        },
        {
          name: 'states',
          label: 'States',
          kind: 'many',
          choices: (values) =>
            toChoices(states.filter(({ country_id }) => String(country_id) === textOf(values, 'country'))),
          isShown: isOf('states'),
        },
      ]}
      toValues={(zone) => ({
        name: zone?.name ?? '',
        description: zone?.description ?? '',
        default_tax: zone?.default_tax ?? false,
        ...toMembers(zone?.zone_members ?? [], states),
      })}
      {...requestsOf('/api/v1/zones', body)}
    />
  );
}

/** The kinds of products that are taxed alike. */
export function TaxCategories() {
  const body = (values: Values) => ({
    tax_category: {
      name: textOf(values, 'name'),
      description: optional(values, 'description'),
      tax_code: optional(values, 'tax_code'),
      is_default: isOn(values, 'is_default'),
    },
  });
  return (
    <ResourcePage<TaxCategory>
      title="Tax categories"
      one="tax category"
      path="/settings/tax-categories"
      scope="catalog:write"
      nameOf={({ name }) => name}
      columns={[
        { name: 'Description', cell: ({ description }) => description },
        { name: 'Tax code', cell: ({ tax_code }) => tax_code },
        { name: 'Default', cell: ({ is_default }) => yes(is_default) },
      ]}
      fields={[
        { name: 'name', label: 'Name', isRequired: true },
        { name: 'description', label: 'Description' },
        { name: 'tax_code', label: 'Tax code' },
        { name: 'is_default', label: 'Default for new products', kind: 'check' },
      ]}
      toValues={(category) => ({
        name: category?.name ?? '',
        description: category?.description ?? '',
        tax_code: category?.tax_code ?? '',
        is_default: category?.is_default ?? false,
      })}
      {...requestsOf('/api/v1/tax_categories', body)}
    />
  );
}

/** The rates by zone and tax category. */
export function TaxRates() {
  const { data: zones = [] } = useQuery(zonesQuery);
  const { data: categories = [] } = useQuery(taxCategoriesQuery);
  const nameIn = (records: readonly { id: number; name: string }[], wanted: number | null): string =>
    records.find(({ id }) => id === wanted)?.name ?? '';
  const body = (values: Values) => ({
    tax_rate: {
      name: optional(values, 'name'),
      amount: fromPercent(textOf(values, 'amount')),
      zone_id: wholeOf(values, 'zone_id'),
      tax_category_id: wholeOf(values, 'tax_category_id') ?? 0,
      included_in_price: isOn(values, 'included_in_price'),
      show_rate_in_label: isOn(values, 'show_rate_in_label'),
    },
  });
  return (
    <ResourcePage<TaxRate>
      title="Tax rates"
      one="tax rate"
      path="/settings/tax-rates"
      scope="settings:write"
      removal="Orders keep their taxes; open carts are taxed without it."
      intro="Orders keep the taxes they have; open carts get the new ones."
      nameOf={({ name, amount }) => name ?? `${toPercent(amount)} %`}
      columns={[
        { name: 'Rate', isNumber: true, cell: ({ amount }) => `${toPercent(amount)} %` },
        { name: 'Zone', cell: ({ zone_id }) => nameIn(zones, zone_id) },
        { name: 'Tax category', cell: ({ tax_category_id }) => nameIn(categories, tax_category_id) },
        { name: 'In prices', cell: ({ included_in_price }) => yes(included_in_price) },
      ]}
      fields={[
        {
          name: 'name',
          label: 'Name (optional)',
          hint: 'Buyers see it; without one they see the tax category.',
        },
        {
          name: 'amount',
          label: 'Rate in percent',
          kind: 'amount',
          isRequired: true,
          hint: 'From 0 to 100, such as 5.5.',
        },
        { name: 'zone_id', label: 'Zone', kind: 'choice', choices: toChoices(zones) },
        {
          name: 'tax_category_id',
          label: 'Tax category',
          kind: 'choice',
          isRequired: true,
          choices: toChoices(categories),
        },
        { name: 'included_in_price', label: 'Prices include it', kind: 'check' },
        { name: 'show_rate_in_label', label: 'Show the rate to buyers', kind: 'check' },
      ]}
      toValues={(rate) => ({
        name: rate?.name ?? '',
        amount: toPercent(rate?.amount ?? ''),
        zone_id: String(rate?.zone_id ?? ''),
        tax_category_id: String(rate?.tax_category_id ?? ''),
        included_in_price: rate?.included_in_price ?? false,
        show_rate_in_label: rate?.show_rate_in_label ?? true,
      })}
      {...requestsOf('/api/v1/tax_rates', body)}
    />
  );
}
