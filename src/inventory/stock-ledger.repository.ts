import type { Locked } from '../platform/database/locked';
import { STORE_TRACKS_INVENTORY } from '../catalog/store-settings-sql';
import { requireFound } from '../platform/errors';
import type { Db } from '../platform/database/knex';
import {
  bindIds,
  queryPrepared,
  type BoundStatement,
  type PreparedForIds,
} from '../platform/database/prepared';
import type { Binding } from '../platform/database/session';
import type { Tx } from '../platform/database/transaction';
import { buildPlaceKey, MAX_COUNT, type StockPlace } from './stock-place';

/** A stock item read under its lock. Its count cannot change until the transaction ends. */
export type LockedStockItem = Locked<CountedStockItem>;

interface CountedStockItem extends StockPlace {
  id: number;
  /** Below zero: backordered units. */
  count_on_hand: number;
  backorderable: boolean;
  /** True if both the variant and the store track inventory. If false, movements do not change the count. */
  tracks_inventory: boolean;
  /** Whether its location is active; only active locations fulfill new orders. */
  is_at_active_location: boolean;
}

export interface NewMovement {
  stock_item_id: number;
  quantity: number;
  /** Whether the movement changed the count. */
  counted: boolean;
  action: string | null;
  originator: { type: string; id: number } | null;
  /** The account of the actor; null for guests and for the program itself. */
  user_id: number | null;
}

export interface RecordedMovement {
  stock_item_id: number;
  quantity: number;
  counted: boolean;
  /** Null for movements made by hand. */
  originator_type: string | null;
}

const buildLockSql = (source: string): string => `
  SELECT stock_items.id, stock_items.stock_location_id, stock_items.variant_id, stock_items.count_on_hand,
         stock_items.backorderable, stock_locations.active AS is_at_active_location,
         variants.track_inventory AND ${STORE_TRACKS_INVENTORY} AS tracks_inventory
    FROM ${source}
    JOIN variants ON variants.id = stock_items.variant_id
    JOIN stock_locations ON stock_locations.id = stock_items.stock_location_id
                        AND stock_locations.deleted_at IS NULL
   WHERE stock_items.deleted_at IS NULL
   ORDER BY stock_items.id
     FOR UPDATE OF stock_items`;

const BY_ID = {
  name: 'lock_stock_items',
  sql: buildLockSql(
    `unnest(CAST(? AS integer[])) AS wanted (id) JOIN stock_items ON stock_items.id = wanted.id`,
  ),
};

const BY_PLACE = {
  name: 'lock_stock_items_at',
  sql: buildLockSql(
    `unnest(CAST(? AS integer[]), CAST(? AS integer[])) AS wanted (stock_location_id, variant_id)
    JOIN stock_items ON stock_items.stock_location_id = wanted.stock_location_id
                    AND stock_items.variant_id = wanted.variant_id`,
  ),
};

/** Locks and reads the stock items with these ids, by id ascending. Omits deleted items. One statement. */
export async function lockStockItems(tx: Tx, ids: readonly number[]): Promise<LockedStockItem[]> {
  if (ids.length === 0) return [];
  return queryPrepared<LockedStockItem>(tx, BY_ID, [[...new Set(ids)]]);
}

/** Locks and reads the stock items at these places, as `lockStockItems` does. Duplicate places are ignored. */
export async function lockStockItemsAt(tx: Tx, places: readonly StockPlace[]): Promise<LockedStockItem[]> {
  const distinct = [...new Map(places.map((place) => [buildPlaceKey(place), place])).values()];
  if (distinct.length === 0) return [];
  return queryPrepared<LockedStockItem>(tx, BY_PLACE, listColumns(distinct));
}

/** A subquery that selects `stock_location_id` and `variant_id` of each place once. It has one binding. */
export interface PlacesStatement {
  /** The name of the prepared statement; must be unique. */
  name: string;
  places: string;
}

/** Locks and reads the stock items at the places that a subquery selects. */
export type LockStock = (tx: Tx, bindings: readonly Binding[]) => Promise<LockedStockItem[]>;

/** Builds a function that locks stock items as `lockStockItemsAt` does, at the places that a subquery selects. */
export function buildLockOfPlaces({ name, places }: PlacesStatement): LockStock {
  const source = `(${places}) AS wanted (stock_location_id, variant_id)
    JOIN stock_items ON stock_items.stock_location_id = wanted.stock_location_id
                    AND stock_items.variant_id = wanted.variant_id`;
  const statement = { name, sql: buildLockSql(source) };
  return (tx, bindings) => queryPrepared<LockedStockItem>(tx, statement, bindings);
}

/** A stock item of a place: the current one, or else the one that was deleted last. */
export interface FoundStockItem {
  id: number;
  is_deleted: boolean;
}

/**
 * Returns the stock items of these places, by `buildPlaceKey`; with `isDeleted` only deleted ones. Omits places that
 * never had one. Locks nothing.
 */
export async function findStockItemsAt(
  db: Db,
  places: readonly StockPlace[],
  { isDeleted = false }: { isDeleted?: boolean } = {},
): Promise<ReadonlyMap<string, FoundStockItem>> {
  const { rows } = await db.raw<{ rows: (StockPlace & FoundStockItem)[] }>(
    `SELECT DISTINCT ON (stock_location_id, variant_id)
            id, stock_location_id, variant_id, deleted_at IS NOT NULL AS is_deleted
       FROM stock_items
      WHERE (stock_location_id, variant_id) IN (SELECT * FROM unnest(CAST(? AS integer[]), CAST(? AS integer[])))
        AND (deleted_at IS NOT NULL OR NOT ?)
      ORDER BY stock_location_id, variant_id, is_deleted, id DESC`,
    [...listColumns(places), isDeleted],
  );
  return new Map(rows.map((row) => [buildPlaceKey(row), row]));
}

function listColumns(places: readonly StockPlace[]): [number[], number[]] {
  return [places.map((place) => place.stock_location_id), places.map((place) => place.variant_id)];
}

const ADD_TO_COUNTS = `
  UPDATE stock_items SET count_on_hand = stock_items.count_on_hand + sums.quantity
    FROM unnest(CAST(:ids AS integer[]), CAST(:quantities AS bigint[])) AS sums (stock_item_id, quantity)
   WHERE stock_items.id = sums.stock_item_id
     AND stock_items.deleted_at IS NULL
     AND stock_items.count_on_hand + sums.quantity
         BETWEEN CASE WHEN stock_items.backorderable OR sums.quantity > 0 THEN -:max::bigint ELSE 0 END AND :max
  RETURNING stock_items.id`;

function buildSumBindings(sums: ReadonlyMap<number, number>) {
  return { ids: [...sums.keys()], quantities: [...sums.values()], max: MAX_COUNT };
}

/**
 * Adds `sums` to the counts, by stock item id, in one statement. Skips items whose count would leave its bounds; the
 * statement itself checks this.
 * @returns the ids of the items whose count changed
 */
export async function addToCounts(tx: Tx, sums: ReadonlyMap<number, number>): Promise<number[]> {
  if (sums.size === 0) return [];
  const { rows } = await tx.raw<{ rows: { id: number }[] }>(ADD_TO_COUNTS, buildSumBindings(sums));
  return rows.map((row) => row.id);
}

/**
 * Adds `sums` to the counts, as `addToCounts` does, and inserts the movements, in one statement.
 * @returns the ids of the items whose count changed, and of the movements in the order of `movements`
 */
export async function recordMovements(
  tx: Tx,
  sums: ReadonlyMap<number, number>,
  movements: readonly NewMovement[],
): Promise<{ moved: number[]; movement_ids: number[] }> {
  const { rows } = await tx.raw<{ rows: { moved: number[]; movement_ids: number[] }[] }>(
    `WITH moved AS (${ADD_TO_COUNTS}),
     recorded AS (
       INSERT INTO stock_movements (stock_item_id, quantity, counted, action, originator_type, originator_id, user_id)
       SELECT stock_item_id, quantity, counted, action, originator ->> 'type', (originator ->> 'id')::integer, user_id
         FROM ROWS FROM (jsonb_to_recordset(:movements) AS (stock_item_id integer, quantity integer, counted boolean,
                                                            action text, originator jsonb, user_id integer))
              WITH ORDINALITY AS new (stock_item_id, quantity, counted, action, originator, user_id, place)
        ORDER BY place
       RETURNING id)
     SELECT ARRAY(SELECT id FROM moved) AS moved, ARRAY(SELECT id FROM recorded ORDER BY id) AS movement_ids`,
    { ...buildSumBindings(sums), movements: JSON.stringify(movements) },
  );
  return rows[0] ?? { moved: [], movement_ids: [] };
}

const INSERT_UNSTOCK: PreparedForIds = {
  name: 'unstock_movements',
  sql: (ids) => `
    WITH new AS (
      SELECT * FROM ROWS FROM (jsonb_to_recordset(?::jsonb) AS (stock_item_id integer, quantity integer, counted boolean,
                                                         action text, originator jsonb, user_id integer))
               WITH ORDINALITY AS n (stock_item_id, quantity, counted, action, originator, user_id, place)),
    moved AS (
      UPDATE stock_items SET count_on_hand = stock_items.count_on_hand + sums.quantity
        FROM (SELECT stock_item_id, sum(quantity) AS quantity FROM new WHERE counted GROUP BY stock_item_id) sums
       WHERE stock_items.id = sums.stock_item_id AND stock_items.id = ANY(${ids}))
    INSERT INTO stock_movements (stock_item_id, quantity, counted, action, originator_type, originator_id, user_id)
    SELECT stock_item_id, quantity, counted, action, originator ->> 'type', (originator ->> 'id')::integer, user_id
      FROM new ORDER BY place`,
};

/**
 * Builds the statement that records movements that unstock units of locked stock items, and changes the counts by those that are
 * counted; none without movements. Unlike `recordMovements`, it fails if a count would violate a constraint of the table.
 */
export function buildUnstockMovements(movements: readonly NewMovement[]): BoundStatement[] {
  if (movements.length === 0) return [];
  const ids = [...new Set(movements.map(({ stock_item_id }) => stock_item_id))];
  return [bindIds(INSERT_UNSTOCK, ids, [JSON.stringify(movements)])];
}

/** Returns a recorded movement. @throws NotFound */
export async function getMovement(db: Db, id: number): Promise<RecordedMovement> {
  return requireFound(
    await db('stock_movements')
      .where({ id })
      .first<RecordedMovement | undefined>('stock_item_id', 'quantity', 'counted', 'originator_type'),
  );
}

/** Writes the quantity of a movement. Does not change the count of its stock item. */
export async function updateMovementQuantity(tx: Tx, id: number, quantity: number): Promise<void> {
  await tx('stock_movements').where({ id }).update({ quantity });
}

/** Returns the current count without locking it; 0 if the stock item does not exist. */
export async function peekCount(db: Db, stockItemId: number): Promise<number> {
  const item = await db('stock_items')
    .where({ id: stockItemId })
    .first<{ count_on_hand: number } | undefined>('count_on_hand');
  return item?.count_on_hand ?? 0;
}

/** Returns the current counts of these stock items by id, without locking them. */
export async function peekCounts(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await db('stock_items')
    .whereRaw('id = ANY(?)', [[...ids]])
    .select<{ id: number; count_on_hand: number }[]>('id', 'count_on_hand');
  return new Map(rows.map((row) => [row.id, row.count_on_hand]));
}

/** The stock items to delete: one, those of variants, or those at a location. */
export type RemovedItems =
  | { id: number; stock_location_id: number | null }
  | { variant_ids: readonly number[] }
  | { stock_location_id: number };

/** Maximum number of rows per statement. It keeps each statement well within the statement timeout. */
const BATCH = 20_000;

/**
 * Soft-deletes stock items, and records a movement of minus the count of each that does not count 0. Locks them by id
 * ascending. One statement for every 20,000 items.
 * @returns the number of deleted items
 */
export async function deleteStockItems(
  tx: Tx,
  items: RemovedItems,
  { user_id, now }: { user_id: number | null; now: Date },
): Promise<number> {
  const { where, bindings } = selectRemoved(items);
  for (let deleted = 0; ;) {
    const { rowCount } = await tx.raw<{ rowCount: number }>(
      `WITH batch AS (
         SELECT id, count_on_hand FROM stock_items WHERE ${where} AND deleted_at IS NULL
          ORDER BY id LIMIT ${BATCH} FOR UPDATE
       ), recorded AS (
         INSERT INTO stock_movements (stock_item_id, quantity, action, user_id)
         SELECT id, -count_on_hand, 'removed', CAST(:user_id AS integer) FROM batch
          WHERE count_on_hand <> 0 ORDER BY id
       )
       UPDATE stock_items SET count_on_hand = 0, deleted_at = :now FROM batch WHERE stock_items.id = batch.id`,
      { ...bindings, user_id, now },
    );
    deleted += rowCount;
    if (rowCount < BATCH) return deleted;
  }
}

function selectRemoved(items: RemovedItems): { where: string; bindings: Record<string, unknown> } {
  if ('variant_ids' in items) {
    return { where: 'variant_id = ANY(:ids)', bindings: { ids: [...items.variant_ids] } };
  }
  if (!('id' in items)) {
    return { where: 'stock_location_id = :location', bindings: { location: items.stock_location_id } };
  }
  if (items.stock_location_id === null) return { where: 'id = :id', bindings: { id: items.id } };
  return {
    where: 'id = :id AND stock_location_id = :location',
    bindings: { id: items.id, location: items.stock_location_id },
  };
}
