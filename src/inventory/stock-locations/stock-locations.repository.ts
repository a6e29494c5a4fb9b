import type { CountryRow } from '../../geography/countries/countries.definition';
import type { StateRow } from '../../geography/countries/states.definition';
import { hasRow } from '../../platform/database/has-row';
import type { Db } from '../../platform/database/knex';
import { requireRow } from '../../platform/database/require-row';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, buildPage, type Page } from '../../platform/query-builder/page';
import { HOLDS_STOCK } from '../backorders.repository';
import { stockLocationSearch } from './stock-locations.search';

export interface StockLocationRow {
  id: number;
  name: string;
  admin_name: string | null;
  is_default: boolean;
  address1: string | null;
  address2: string | null;
  city: string | null;
  zipcode: string | null;
  phone: string | null;
  state_id: number | null;
  state_name: string | null;
  country_id: number | null;
  active: boolean;
  backorderable_default: boolean;
  propagate_all_variants: boolean;
}

/** A stock location with its country and state; null if it has none. */
export interface StockLocationGraph extends StockLocationRow {
  country: CountryRow | null;
  state: StateRow | null;
}

/** Columns to write. An update leaves omitted columns unchanged; an insert gives them their default. */
export type StockLocationValues = Partial<Omit<StockLocationRow, 'id'>>;

/** Builds a query of the stock locations that are not deleted. */
function queryPresent(db: Db) {
  return db<StockLocationRow>('stock_locations').whereNull('stock_locations.deleted_at');
}

function joinCountryAndState(query: ReturnType<typeof queryPresent>, db: Db) {
  return query
    .leftJoin('countries', 'countries.id', 'stock_locations.country_id')
    .leftJoin('states', 'states.id', 'stock_locations.state_id')
    .select<StockLocationGraph[]>(
      'stock_locations.*',
      db.raw('row_to_json(countries) AS country'),
      db.raw('row_to_json(states) AS state'),
    );
}

/** Returns one page of the stock locations that are not deleted. At most two statements. */
export async function findStockLocationPage(db: Db, list: ListQuery): Promise<Page<StockLocationGraph>> {
  const matching = applyFilters(queryPresent(db), list, stockLocationSearch);
  const rows = await applySortAndPage(joinCountryAndState(matching.clone(), db), list, stockLocationSearch);
  return buildPage(rows, await countAll(matching, rows.length, list), list);
}

/** Returns a stock location; undefined if it is deleted. */
export async function findStockLocation(db: Db, id: number): Promise<StockLocationGraph | undefined> {
  return joinCountryAndState(queryPresent(db).where('stock_locations.id', id), db).first();
}

/** Locks the row against deletion, but not against use by other transactions (`FOR KEY SHARE`). */
export async function lockStockLocationForUse(tx: Tx, id: number): Promise<StockLocationRow | undefined> {
  return queryPresent(tx).where({ id }).forKeyShare().first();
}

/** Returns the ids and names of all stock locations that are not deleted, the default one first. */
export async function findLocationNames(db: Db): Promise<Pick<StockLocationRow, 'id' | 'name'>[]> {
  return queryPresent(db)
    .select('id', 'name')
    .orderBy([{ column: 'is_default', order: 'desc' }, { column: 'id' }]);
}

/** Locks the row for a change. Other transactions cannot insert references to it until this one ends. */
export async function lockStockLocation(tx: Tx, id: number): Promise<StockLocationRow | undefined> {
  return queryPresent(tx).where({ id }).forUpdate().first();
}

/** Inserts a stock location. @returns its id */
export async function insertStockLocation(
  tx: Tx,
  values: StockLocationValues & { name: string },
): Promise<number> {
  const rows = await tx('stock_locations').insert(values).returning<{ id: number }[]>('id');
  return requireRow(rows).id;
}

/** Writes the given columns; writes nothing if there are none. */
export async function updateStockLocation(tx: Tx, id: number, values: StockLocationValues): Promise<void> {
  if (Object.keys(values).length > 0) await tx('stock_locations').where({ id }).update(values);
}

/** Returns the id of the default location, or else of the first one; undefined if there is none. */
export async function findDefaultLocationId(db: Db): Promise<number | undefined> {
  const location = await db('stock_locations')
    .where({ deleted_at: null })
    .orderBy([{ column: 'is_default', order: 'desc' }, { column: 'id' }])
    .first<{ id: number } | undefined>('id');
  return location?.id;
}

/**
 * Clears `is_default` of the default location. Must run before any other write to locations in the transaction: it
 * locks the table against other writers, because two concurrent transactions that set a default would not see each
 * other's. Readers do not wait.
 */
export async function clearDefaultLocation(tx: Tx): Promise<void> {
  await tx.raw('LOCK TABLE stock_locations IN SHARE ROW EXCLUSIVE MODE');
  await queryPresent(tx).where({ is_default: true }).update({ is_default: false });
}

/** Returns whether an order whose stock is taken has a shipment that has not left this location yet. */
export async function hasUnshippedShipments(db: Db, id: number): Promise<boolean> {
  const waiting = db('shipments')
    .join('orders', 'orders.id', 'shipments.order_id')
    .where('shipments.stock_location_id', id)
    .whereIn('shipments.state', ['pending', 'ready'])
    .whereRaw(HOLDS_STOCK)
    .select('shipments.id');
  return hasRow(waiting);
}

/** Soft-deletes a stock location. Shipments and returns keep their references to it. */
export async function markStockLocationDeleted(tx: Tx, id: number, now: Date): Promise<void> {
  await tx('stock_locations').where({ id }).update({ deleted_at: now, is_default: false });
}
