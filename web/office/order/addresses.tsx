import { useQuery } from '@tanstack/preact-query';
import { unwrap, type Address } from 'store-api-client';
import { AddressLines } from '../../shared/address-lines';
import { stateOf } from '../../shared/address-state';
import { store } from '../office';
import { Act, onceAt } from '../parts/act';
import { optional, textOf, type FieldSpec, type Values } from '../parts/fields';
import { countriesQuery } from '../queries';
import type { ShownOrder } from './order-query';

const TEXTS = [
  ...[
    ['firstname', 'First name'],
    ['lastname', 'Last name'],
    ['company', 'Company'],
  ],
  ...[
    ['address1', 'Address'],
    ['address2', 'Address, second line'],
    ['city', 'City'],
    ['zipcode', 'Postal code'],
  ],
  ...[
    ['state', 'State or province'],
    ['phone', 'Phone'],
  ],
] as const;

const toValues = (address: Address | null): Values => ({
  ...Object.fromEntries(
    TEXTS.map(([name]) => [
      name,
      address === null ? '' : name === 'state' ? stateOf(address) : (address[name] ?? ''),
    ]),
  ),
  country: address?.country?.iso ?? '',
});

/** The ship and the bill address of an order. */
export function Addresses(shown: ShownOrder) {
  return (
    <>
      <OneAddress {...shown} name="Ship to" field="ship_address" />
      <OneAddress {...shown} name="Bill to" field="bill_address" />
    </>
  );
}

interface OneAddressProps extends ShownOrder {
  name: string;
  field: 'ship_address' | 'bill_address';
}

function OneAddress({ order, version, name, field }: OneAddressProps) {
  const address = order[field] ?? null;
  const { data: countries = [] } = useQuery(countriesQuery);
  const prefix = `${field}.`;
  const fields: FieldSpec[] = [
    ...TEXTS.map(([of, label]) => ({
      name: prefix + of,
      label,
      ...(of === 'state' && { hint: 'The name or the abbreviation, such as ME.' }),
    })),
    {
      name: `${prefix}country`,
      label: 'Country',
      kind: 'choice' as const,
      isRequired: true,
      choices: countries.map(({ iso, name: country }) => ({ value: iso, name: country })),
    },
  ];
  const initial = Object.fromEntries(
    Object.entries(toValues(address)).map(([of, value]) => [prefix + of, value]),
  );
  return (
    <section class="box">
      <h2>{name}</h2>
      <p class="address">
        {address === null ? 'None' : <AddressLines address={address} />}
        {address !== null && <span>{address.phone}</span>}
      </p>
      <div class="actions">
        <Act
          name="Change"
          of={name}
          scope="orders:write"
          question={`Order ${order.number} gets this address. Parcels that have not left are sent there. Taxes stay as they are; see Recalculate the taxes.`}
          confirm="Save the address"
          done="The address is saved."
          fields={fields}
          initial={initial}
          act={(key, values) =>
            unwrap(
              store.PUT('/api/v1/orders/{number}', {
                params: { path: { number: order.number } },
                headers: onceAt(key, version),
                body: { order: { [field]: toAddress(values, prefix) } },
              }),
            )
          }
        />
      </div>
    </section>
  );
}

const toAddress = (values: Values, prefix: string) => ({
  ...Object.fromEntries(
    TEXTS.filter(([name]) => name !== 'state').map(([name]) => [name, optional(values, prefix + name)]),
  ),
  country: textOf(values, `${prefix}country`),
  ...(textOf(values, `${prefix}state`) !== '' && { state: textOf(values, `${prefix}state`) }),
});
