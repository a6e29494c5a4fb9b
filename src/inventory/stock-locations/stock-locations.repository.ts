import type { CountryRow } from '../../geography/countries/countries.repository';
import type { StateRow } from '../../geography/states/states.repository';
import type { Db } from '../../platform/database/knex';
import { requireRow } from '../../platform/database/require-row';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, buildPage, type Page } from '../../platform/query-builder/page';
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

/** A location with its country and state, where it names them. */
export interface StockLocationGraph extends StockLocationRow {
  country: CountryRow | null;
  state: StateRow | null;
}

/** What may be written; columns left out keep their value, or get their default. */
export type StockLocationValues = Partial<Omit<StockLocationRow, 'id'>>;

/** Locations that are not deleted. */
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

/** One page, two queries at most. */
export async function findStockLocationPage(db: Db, list: ListQuery): Promise<Page<StockLocationGraph>> {
  const matching = applyFilters(queryPresent(db), list, stockLocationSearch);
  const rows = await applySortAndPage(joinCountryAndState(matching.clone(), db), list, stockLocationSearch);
  return buildPage(rows, await countAll(matching, rows.length, list), list);
}

/** The location; not a deleted one. */
export async function findStockLocation(db: Db, id: number): Promise<StockLocationGraph | undefined> {
  return joinCountryAndState(queryPresent(db).where('stock_locations.id', id), db).first();
}

/** The row, kept from being deleted (but not from being used by others) until the transaction ends. */
export async function lockStockLocationForUse(tx: Tx, id: number): Promise<StockLocationRow | undefined> {
  return queryPresent(tx).where({ id }).forKeyShare().first();
}

/** The row, locked for a change. Nothing new can come to name the location while it is locked. */
export async function lockStockLocation(tx: Tx, id: number): Promise<StockLocationRow | undefined> {
  return queryPresent(tx).where({ id }).forUpdate().first();
}

/** @returns the new id */
export async function insertStockLocation(
  tx: Tx,
  values: StockLocationValues & { name: string },
): Promise<number> {
  const rows = await tx('stock_locations').insert(values).returning<{ id: number }[]>('id');
  return requireRow(rows).id;
}

/** Writes the columns that are named. */
export async function updateStockLocation(tx: Tx, id: number, values: StockLocationValues): Promise<void> {
  if (Object.keys(values).length > 0) await tx('stock_locations').where({ id }).update(values);
}

/**
 * Takes the default away from the location that has it. Must come before any other write to locations: it keeps
 * them to this transaction, as two that name a default at once could not see each other's. Readers do not wait.
 */
export async function clearDefaultLocation(tx: Tx): Promise<void> {
  await tx.raw('LOCK TABLE stock_locations IN SHARE ROW EXCLUSIVE MODE');
  await queryPresent(tx).where({ is_default: true }).update({ is_default: false });
}

/** Whether a completed order still waits for goods to leave from here. */
export async function hasUnshippedShipments(db: Db, id: number): Promise<boolean> {
  const waiting = await db('shipments')
    .join('orders', 'orders.id', 'shipments.order_id')
    .where('shipments.stock_location_id', id)
    .whereIn('shipments.state', ['pending', 'ready'])
    .whereNotNull('orders.completed_at')
    .whereNot('orders.state', 'canceled')
    .limit(1)
    .pluck<number[]>('shipments.id');
  return waiting.length > 0;
}

/** Shipments and returns go on naming it. */
export async function markStockLocationDeleted(tx: Tx, id: number, now: Date): Promise<void> {
  await tx('stock_locations').where({ id }).update({ deleted_at: now, is_default: false });
}
