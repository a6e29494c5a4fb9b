import type { Order } from 'store-api-client';
import { nameOf } from '../../shared/variant-name';

interface ParcelItemsProps {
  order: Order;
  parcel: NonNullable<Order['shipments']>[number];
}

/** What a parcel contains and what of it waits for stock; nothing for a single parcel that contains the whole order. */
export function ParcelItems({ order, parcel: { manifest } }: ParcelItemsProps) {
  const isWhole = order.shipments?.length === 1 && manifest.every(({ states }) => !states['backordered']);
  if (isWhole) return null;
  const names = new Map(order.line_items.map(({ variant_id, variant }) => [variant_id, nameOf(variant)]));
  return (
    <ul class="parcel-items">
      {manifest.map(({ variant_id, quantity, states }) => (
        <li key={variant_id}>
          {quantity} × {names.get(variant_id)}
          {(states['backordered'] ?? 0) > 0 && ` (${states['backordered']} backordered)`}
        </li>
      ))}
    </ul>
  );
}
