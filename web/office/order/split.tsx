import { useQuery } from '@tanstack/preact-query';
import { unwrap, type Order } from 'store-api-client';
import { useMay } from '../access';
import { store } from '../office';
import { Act, once } from '../parts/act';
import { textOf, wholeOf, type Values } from '../parts/fields';
import { locationsQuery } from '../queries';
import { nameOf } from '../../shared/variant-name';
import type { OfParcel } from './parcels';

const NEW = 'location ';

/** Moves units of a parcel into a new one, from any location, or into another parcel of the order. */
export function Split({ parcel, of, order }: OfParcel & { order: Order }) {
  const { number } = parcel;
  const may = useMay();
  const { data: locations = [] } = useQuery({ ...locationsQuery, enabled: may('stock:read') });
  const contents = parcel.manifest.flatMap(({ variant_id, quantity }) => {
    const line = order.line_items.find((one) => one.variant_id === variant_id);
    return line === undefined
      ? []
      : [{ value: String(variant_id), name: `${nameOf(line.variant)} (${quantity})` }];
  });
  const others = (order.shipments ?? []).filter(
    (other) => other.number !== number && (other.state === 'pending' || other.state === 'ready'),
  );
  const targets = [
    ...others.map((other) => ({ value: other.number, name: `Parcel ${other.number}` })),
    ...locations
      .filter(({ active }) => active)
      .map(({ id, name }) => ({ value: `${NEW}${id}`, name: `A new parcel from ${name}` })),
  ];
  if (targets.length === 0 || contents.length === 0) return null;
  return (
    <Act
      name="Split"
      of={of}
      scope="shipments:write"
      question={`Units of ${number} move into another parcel, which is shipped on its own. Units that leave a location go back to its stock.`}
      confirm={(values) => `Move ${textOf(values, 'quantity')}`}
      done={`Units of ${number} are moved.`}
      fields={[
        { name: 'variant_id', label: 'Item', kind: 'choice', choices: contents, isRequired: true },
        { name: 'quantity', label: 'Units', kind: 'whole', isRequired: true },
        { name: 'target', label: 'Into', kind: 'choice', choices: targets, isRequired: true },
      ]}
      initial={{
        variant_id: contents[0]?.value ?? '',
        quantity: '1',
        target: targets[0]?.value ?? '',
      }}
      act={(key, values) => move(number, key, values)}
    />
  );
}

function move(number: string, key: string, values: Values): Promise<unknown> {
  const target = textOf(values, 'target');
  const moved = {
    original_shipment_number: number,
    variant_id: Number(textOf(values, 'variant_id')),
    quantity: wholeOf(values, 'quantity'),
  };
  return target.startsWith(NEW)
    ? unwrap(
        store.POST('/api/v1/shipments/transfer_to_location', {
          headers: once(key),
          body: { ...moved, stock_location_id: Number(target.slice(NEW.length)) },
        }),
      )
    : unwrap(
        store.POST('/api/v1/shipments/transfer_to_shipment', {
          headers: once(key),
          body: { ...moved, target_shipment_number: target },
        }),
      );
}
