import type { Availability } from '../../inventory/availability';
import { loadAvailability } from '../../inventory/availability.repository';
import type { Db } from '../../platform/database/knex';
import type { OrderGraph } from '../order/order-graph';
import { findKnownVariants } from '../order/order-variants';

/** Returns the availability of these variants of an order, by id: from memory, else by one statement. */
export async function getAvailability(
  db: Db,
  order: Pick<OrderGraph, 'variants'>,
  ids: readonly number[],
): Promise<Map<number, Availability>> {
  const known = findKnownVariants(order.variants, ids);
  if (known === null) return loadAvailability(db, ids);
  return new Map(
    [...known].map(([id, { variant }]) => [
      id,
      {
        variant_id: id,
        tracks_inventory: variant.tracks_inventory,
        total_on_hand: Number(variant.count_on_hand),
        backorderable: variant.backorderable,
      },
    ]),
  );
}
