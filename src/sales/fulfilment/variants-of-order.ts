import type { Availability } from '../../inventory/availability';
import type { OrderGraph } from '../order/order-graph';
import { findKnownVariants } from '../order/order-variants';
import type { FulfilmentFacts } from './fulfilment-facts';
import type { OrderedVariant } from './ordered-variants.repository';

/** Returns the facts about these variants of an order, by id: those that were read with it, if they were. */
export function getOrderedVariants(
  facts: FulfilmentFacts,
  { variants, currency }: Pick<OrderGraph, 'variants' | 'currency'>,
  ids: readonly number[],
): ReadonlyMap<number, OrderedVariant> {
  const known = findKnownVariants(variants, ids);
  if (known === null) return facts.orderedVariants({ ids, currency });
  return new Map(
    [...known].map(([id, { variant, is_for_sale, shipping_category_id, order_price }]) => [
      id,
      {
        variant_id: id,
        is_for_sale,
        shipping_category_id,
        tracks_inventory: variant.tracks_inventory,
        price: order_price,
      },
    ]),
  );
}

/** Returns the availability of these variants of an order, by id: as it was read with the order, if it was. */
export function getAvailability(
  facts: FulfilmentFacts,
  order: Pick<OrderGraph, 'variants'>,
  ids: readonly number[],
): ReadonlyMap<number, Availability> {
  const known = findKnownVariants(order.variants, ids);
  if (known === null) return facts.availability(ids);
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
