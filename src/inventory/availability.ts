import { STORE_TRACKS_INVENTORY } from '../catalog/store-settings';
import type { Db } from '../platform/database/knex';
import { queryPrepared, queryPreparedForIds, type PreparedForIds } from '../platform/database/prepared';

/** What the shop as a whole has of a variant. */
export interface Availability {
  variant_id: number;
  /** The variant's own flag and the store's. */
  tracks_inventory: boolean;
  /** Sum over the active locations; below zero when units are owed. Means nothing where inventory is not tracked. */
  total_on_hand: number;
  /** Whether any active location takes backorders. */
  backorderable: boolean;
}

/** Whether `quantity` units can be sold (behaviour 6.5). Carts reserve nothing, so this may change any moment. */
export function canSupply(
  stock: Pick<Availability, 'tracks_inventory' | 'total_on_hand' | 'backorderable'>,
  quantity: number,
): boolean {
  return !stock.tracks_inventory || stock.backorderable || stock.total_on_hand >= quantity;
}

const AVAILABILITY: PreparedForIds = {
  name: 'availability',
  sql: (ids) => `SELECT variants.id AS variant_id,
            variants.track_inventory AND ${STORE_TRACKS_INVENTORY} AS tracks_inventory,
            COALESCE(sum(shelves.count_on_hand), 0)::float8 AS total_on_hand,
            COALESCE(bool_or(shelves.backorderable), false) AS backorderable
       FROM variants
       LEFT JOIN (stock_items AS shelves
         JOIN stock_locations ON stock_locations.id = shelves.stock_location_id
                             AND stock_locations.active AND stock_locations.deleted_at IS NULL)
         ON shelves.variant_id = variants.id AND shelves.deleted_at IS NULL
      WHERE variants.id = ANY(${ids})
      GROUP BY variants.id`,
};

/** The availability of these variants by id; ids that name no variant are absent. One query. */
export async function loadAvailability(
  db: Db,
  variantIds: readonly number[],
): Promise<Map<number, Availability>> {
  const rows = await queryPreparedForIds<Availability>(db, AVAILABILITY, variantIds);
  return new Map(rows.map((row) => [row.variant_id, row]));
}

/** What one location has of a variant. */
export interface LocationStock {
  stock_location_id: number;
  variant_id: number;
  count_on_hand: number;
  backorderable: boolean;
}

export interface ActiveLocation {
  id: number;
  name: string;
  is_default: boolean;
}

/** Everything needed to decide which location ships what. */
export interface StockByLocation {
  /** Every active location, the default one first, the others by name. */
  locations: ActiveLocation[];
  /** What those locations have of the variants; a missing pair has nothing. */
  shelves: LocationStock[];
}

interface LocationWithStock extends ActiveLocation {
  shelves: (LocationStock & { id: number })[];
}

const STOCK_BY_LOCATION = {
  name: 'stock_by_location',
  sql: `SELECT id, name, is_default,
            coalesce((SELECT json_agg(shelf) FROM (
                SELECT id, stock_location_id, variant_id, count_on_hand, backorderable FROM stock_items
                 WHERE stock_location_id = stock_locations.id AND variant_id = ANY(?) AND deleted_at IS NULL) shelf),
              '[]') AS shelves
       FROM stock_locations
      WHERE active AND deleted_at IS NULL
      ORDER BY is_default DESC, name COLLATE "C", id`,
};

/** The stock of these variants by location. One query, for any number of variants. */
export async function loadStockByLocation(db: Db, variantIds: readonly number[]): Promise<StockByLocation> {
  const rows = await queryPrepared<LocationWithStock>(db, STOCK_BY_LOCATION, [[...variantIds]]);
  return {
    locations: rows.map(({ id, name, is_default }) => ({ id, name, is_default })),
    shelves: rows
      .flatMap((row) => row.shelves)
      .sort((one, other) => one.id - other.id)
      .map(({ stock_location_id, variant_id, count_on_hand, backorderable }) => ({
        ...{ stock_location_id, variant_id, count_on_hand, backorderable },
      })),
  };
}
