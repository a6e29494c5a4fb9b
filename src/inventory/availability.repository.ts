import { STORE_TRACKS_INVENTORY } from '../catalog/store-settings-sql';
import type { Db } from '../platform/database/knex';
import { queryPrepared, queryPreparedForIds, type PreparedForIds } from '../platform/database/prepared';
import type { ActiveLocation, Availability, LocationStock, StockByLocation } from './availability';

const AVAILABILITY: PreparedForIds = {
  name: 'availability',
  sql: (ids) => `SELECT variants.id AS variant_id,
            variants.track_inventory AND ${STORE_TRACKS_INVENTORY} AS tracks_inventory,
            COALESCE(sum(stock_items.count_on_hand), 0)::float8 AS total_on_hand,
            COALESCE(bool_or(stock_items.backorderable), false) AS backorderable
       FROM variants
       LEFT JOIN (stock_items
         JOIN stock_locations ON stock_locations.id = stock_items.stock_location_id
                             AND stock_locations.active AND stock_locations.deleted_at IS NULL)
         ON stock_items.variant_id = variants.id AND stock_items.deleted_at IS NULL
      WHERE variants.id = ANY(${ids})
      GROUP BY variants.id`,
};

/** Loads the availability of these variants, by variant id. Omits unknown ids. One statement. */
export async function loadAvailability(
  db: Db,
  variantIds: readonly number[],
): Promise<Map<number, Availability>> {
  const rows = await queryPreparedForIds<Availability>(db, AVAILABILITY, variantIds);
  return new Map(rows.map((row) => [row.variant_id, row]));
}

interface LocationWithStock extends ActiveLocation {
  stock: (LocationStock & { id: number })[];
}

const selectStockByLocation = (variants: string): string => `SELECT id, name, is_default,
            coalesce((SELECT json_agg(item) FROM (
                SELECT id, stock_location_id, variant_id, count_on_hand, backorderable FROM stock_items
                 WHERE stock_location_id = stock_locations.id AND variant_id = ANY(${variants}) AND deleted_at IS NULL) item),
              '[]') AS stock
       FROM stock_locations
      WHERE active AND deleted_at IS NULL
      ORDER BY is_default DESC, name COLLATE "C", id`;

const STOCK_BY_LOCATION = { name: 'stock_by_location', sql: selectStockByLocation('?') };

/** Loads the stock of these variants by location. One statement for any number of variants. */
export async function loadStockByLocation(db: Db, variantIds: readonly number[]): Promise<StockByLocation> {
  return buildStock(await queryPrepared<LocationWithStock>(db, STOCK_BY_LOCATION, [[...variantIds]]));
}

/** An SQL expression for an array of variant ids. It has one binding. */
export interface VariantsStatement {
  /** The name of the prepared statement; must be unique. */
  name: string;
  variants: string;
}

/** Builds a function that loads stock as `loadStockByLocation` does, of the variants that an expression selects. */
export function buildStockLoader({
  name,
  variants,
}: VariantsStatement): (db: Db, binding: string) => Promise<StockByLocation> {
  const statement = { name, sql: selectStockByLocation(variants) };
  return async (db, binding) => buildStock(await queryPrepared<LocationWithStock>(db, statement, [binding]));
}

function buildStock(rows: readonly LocationWithStock[]): StockByLocation {
  return {
    locations: rows.map(({ id, name, is_default }) => ({ id, name, is_default })),
    stock: rows
      .flatMap((row) => row.stock)
      .sort((one, other) => one.id - other.id)
      .map(({ stock_location_id, variant_id, count_on_hand, backorderable }) => ({
        stock_location_id,
        variant_id,
        count_on_hand,
        backorderable,
      })),
  };
}
