import type { Db } from '../platform/database/knex';
import { buildPlaceKey, type StockPlace } from './stock-place';

/**
 * Counts the units of each place that are sold and not shipped, on hand or backordered. Units whose sale was not counted
 * are left out, because they are not missing from the count either. One statement.
 * @returns by `buildPlaceKey`; places without such units are missing
 */
export async function countCommittedUnits(
  db: Db,
  places: readonly StockPlace[],
): Promise<Map<string, number>> {
  const variantIds = [...new Set(places.map(({ variant_id }) => variant_id))];
  const { rows } = await db.raw<{ rows: (StockPlace & { committed: number })[] }>(
    `SELECT shipments.stock_location_id, units.variant_id, count(*)::integer AS committed
       FROM (SELECT variant_id, shipment_id FROM inventory_units
              WHERE variant_id = ANY(:ids) AND state = 'on_hand' AND NOT pending AND counted
             UNION ALL
             SELECT variant_id, shipment_id FROM inventory_units
              WHERE variant_id = ANY(:ids) AND state = 'backordered' AND NOT pending AND counted) AS units
       JOIN shipments ON shipments.id = units.shipment_id AND shipments.state IN ('pending', 'ready')
      GROUP BY 1, 2`,
    { ids: variantIds },
  );
  return new Map(rows.map(({ committed, ...place }) => [buildPlaceKey(place), committed]));
}
