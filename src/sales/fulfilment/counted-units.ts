import type { StockPlace } from '../../inventory/stock-place';
import { groupBy } from '../../platform/group-by';
import type { OrderGraph, ShipmentGraph, UnitCount } from '../order/order-graph';

/*
 * Units store whether their sale changed the count of a stock item: it does not if the inventory of the variant is not
 * tracked at that time. What returns changes the count if and only if its sale did, whatever is tracked by then.
 */

/** Splits a number of units into those whose sale was counted and the others. Omits empty parts. */
export function splitCounted({
  quantity,
  counted_quantity,
}: Pick<UnitCount, 'quantity' | 'counted_quantity'>): { quantity: number; counted: boolean }[] {
  return [
    { quantity: counted_quantity, counted: true },
    { quantity: quantity - counted_quantity, counted: false },
  ].filter((part) => part.quantity > 0);
}

/** Adds up the units of a shipment that have the same line item and the same state. Omits empty counts. */
export function mergeUnits(units: readonly UnitCount[]): UnitCount[] {
  const counts = new Map<string, UnitCount>();
  for (const unit of units) {
    const key = `${unit.line_item_id}/${unit.variant_id}/${unit.state}`;
    const { quantity, counted_quantity } = counts.get(key) ?? { quantity: 0, counted_quantity: 0 };
    counts.set(key, {
      ...unit,
      quantity: quantity + unit.quantity,
      counted_quantity: counted_quantity + unit.counted_quantity,
    });
  }
  return [...counts.values()].filter(({ quantity }) => quantity > 0);
}

/** Returns the shipments of an order with more units, or with fewer, whose quantities are negative. */
export function addUnitCounts(
  { shipments }: Pick<OrderGraph, 'shipments'>,
  changes: readonly UnitCount[],
): ShipmentGraph[] {
  const byShipment = groupBy(changes, ({ shipment_id }) => shipment_id);
  return shipments.map((shipment) => {
    const own = byShipment.get(shipment.id);
    return own === undefined ? shipment : { ...shipment, units: mergeUnits([...shipment.units, ...own]) };
  });
}

/** Returns the units as they are taken off a shipment. */
export function negateUnits(units: UnitCount): UnitCount {
  return { ...units, quantity: -units.quantity, counted_quantity: -units.counted_quantity };
}

/** Returns whether `counted` of every unit of an order is stored as `isCounted` (`isCountedAt`) returns it for its place. */
export function isCountedAsStored(order: OrderGraph, isCounted: (place: StockPlace) => boolean): boolean {
  return order.shipments.every(({ stock_location_id, units }) =>
    units.every(({ variant_id, quantity, counted_quantity }) => {
      const counted = isCounted({ stock_location_id, variant_id });
      return counted_quantity === (counted ? quantity : 0);
    }),
  );
}
