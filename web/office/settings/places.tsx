import { useQuery } from '@tanstack/preact-query';
import type { Role, StockLocation } from 'store-api-client';
import { nameScopes, SCOPE_CHOICES, toScopes } from '../access';
import { chosenOf, isOn, optional, textOf, type FieldSpec, type Values } from '../parts/fields';
import { requestsOf } from '../parts/requests';
import { ResourcePage } from '../parts/resource';
import { countriesQuery } from '../queries';

const TEXTS = [
  ...(['address1', 'address2', 'zipcode'] as const),
  ...(['city', 'state_name', 'phone'] as const),
];
const LABELS = ['Address', 'Address, second line', 'Postal code', 'City', 'State or province', 'Phone'];
const FLAGS = [
  ['default', 'Default location'],
  ['active', 'Active'],
  ['backorderable_default', 'New stock can be backordered'],
  ['propagate_all_variants', 'Has all products'],
] as const;
/** The flags of a new location. Without a stock item, a product cannot be counted there. */
const NEW: readonly string[] = ['active', 'propagate_all_variants'];

/** The places that stock lies in. */
export function Locations() {
  const { data: countries = [] } = useQuery(countriesQuery);
  const body = (values: Values) => ({
    stock_location: {
      name: textOf(values, 'name'),
      admin_name: optional(values, 'admin_name'),
      ...Object.fromEntries(TEXTS.map((name) => [name, optional(values, name)])),
      ...Object.fromEntries(FLAGS.map(([name]) => [name, isOn(values, name)])),
      country_id: optional(values, 'country_id'),
    },
  });
  return (
    <ResourcePage<StockLocation>
      title="Stock locations"
      one="stock location"
      path="/settings/locations"
      scope="stock:write"
      removal="Its stock is removed. A location with parcels that have not left stays."
      nameOf={({ name }) => name}
      columns={[
        { name: 'City', cell: ({ city }) => city },
        { name: 'Country', cell: ({ country }) => country?.name },
        { name: 'Default', cell: (location) => (location.default ? 'Yes' : '') },
        { name: 'Active', cell: ({ active }) => (active ? 'Yes' : 'No') },
      ]}
      fields={[
        { name: 'name', label: 'Name', isRequired: true },
        { name: 'admin_name', label: 'Name for the staff' },
        ...TEXTS.map((name, index): FieldSpec => ({ name, label: LABELS[index] ?? name })),
        {
          name: 'country_id',
          label: 'Country',
          kind: 'choice',
          choices: countries.map(({ iso, name }) => ({ value: iso, name })),
        },
        ...FLAGS.map(([name, label]): FieldSpec => ({ name, label, kind: 'check' })),
      ]}
      toValues={(location) => ({
        name: location?.name ?? '',
        admin_name: location?.admin_name ?? '',
        ...Object.fromEntries(TEXTS.map((name) => [name, location?.[name] ?? ''])),
        ...Object.fromEntries(FLAGS.map(([name]) => [name, location?.[name] ?? NEW.includes(name)])),
        country_id: location?.country?.iso ?? '',
      })}
      {...requestsOf('/api/v1/stock_locations', body)}
    />
  );
}

/** The roles of the staff, for administrators. */
export function Roles() {
  const body = (values: Values) => ({
    role: { name: textOf(values, 'name'), scopes: toScopes(chosenOf(values, 'scopes')) },
  });
  return (
    <ResourcePage<Role>
      title="Roles"
      one="role"
      path="/settings/roles"
      scope="settings:write"
      intro="A change applies to all members with the role from the next request on. Assign roles on the page of an account. Write includes read."
      isFixed={({ name }) => name === 'admin' || name === 'customer'}
      nameOf={({ name }) => name}
      columns={[
        {
          name: 'May do',
          cell: ({ scopes }) =>
            scopes.includes('*') ? 'Everything' : scopes.length === 0 ? 'Nothing' : nameScopes(scopes),
        },
      ]}
      fields={[
        { name: 'name', label: 'Name', isRequired: true },
        {
          name: 'scopes',
          label: 'May do',
          kind: 'many',
          choices: SCOPE_CHOICES,
        },
      ]}
      toValues={(role) => ({ name: role?.name ?? '', scopes: role?.scopes ?? [] })}
      {...requestsOf('/api/v1/roles', body)}
    />
  );
}
