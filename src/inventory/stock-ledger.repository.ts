import { STORE_TRACKS_INVENTORY } from '../catalog/store-settings';
import { NotFound } from '../platform/errors';
import type { Db } from '../platform/database/knex';
import { queryPrepared } from '../platform/database/prepared';
import type { Tx } from '../platform/database/transaction';
import { MAX_INT4 } from '../platform/int4';
import { buildPlaceKey, type StockPlace } from './stock-place';

declare const isLocked: unique symbol;

/** A stock item read under its own lock: its count stays true until the transaction ends. */
export interface LockedStockItem extends StockPlace {
  readonly [isLocked]: true;
  id: number;
  /** Below zero: units owed. */
  count_on_hand: number;
  backorderable: boolean;
  /** The variant's own flag and the store's. Where false, movements are recorded and the count is left. */
  tracks_inventory: boolean;
  /** Whether its location is active, so that carts are packed from it. */
  is_at_active_location: boolean;
}

export interface NewMovement {
  stock_item_id: number;
  quantity: number;
  /** Whether the count moved along. */
  counted: boolean;
  action: string | null;
  originator: { type: string; id: number } | null;
}

export interface RecordedMovement {
  stock_item_id: number;
  quantity: number;
  counted: boolean;
}

/** What a stock item's count may be: within an integer, and below zero only where it is backorderable. */
export const MAX_COUNT = MAX_INT4;

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
  sql: buildLockSql(`unnest(CAST(? AS integer[])) AS wanted (id) JOIN stock_items ON stock_items.id = wanted.id`),
};

const BY_PLACE = {
  name: 'lock_stock_items_at',
  sql: buildLockSql(
    `unnest(CAST(? AS integer[]), CAST(? AS integer[])) AS wanted (stock_location_id, variant_id)
    JOIN stock_items ON stock_items.stock_location_id = wanted.stock_location_id
                    AND stock_items.variant_id = wanted.variant_id`,
  ),
};

/** Locks the items that are there, by id ascending, and reads them; deleted ones are not there. One statement. */
export async function lockStockItems(tx: Tx, ids: readonly number[]): Promise<LockedStockItem[]> {
  if (ids.length === 0) return [];
  return queryPrepared<LockedStockItem>(tx, BY_ID, [[...new Set(ids)]]);
}

/** As `lockStockItems`, by place; a place named twice comes back once. */
export async function lockStockItemsAt(tx: Tx, places: readonly StockPlace[]): Promise<LockedStockItem[]> {
  const distinct = [...new Map(places.map((place) => [buildPlaceKey(place), place])).values()];
  if (distinct.length === 0) return [];
  return queryPrepared<LockedStockItem>(tx, BY_PLACE, listColumns(distinct));
}

/** The items at these places by `placeKey`; those without an item are left out. */
export async function findStockItemIds(
  db: Db,
  places: readonly StockPlace[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.raw<{ rows: (StockPlace & { id: number })[] }>(
    `SELECT id, stock_location_id, variant_id FROM stock_items
      WHERE (stock_location_id, variant_id) IN (SELECT * FROM unnest(CAST(? AS integer[]), CAST(? AS integer[])))
        AND deleted_at IS NULL`,
    listColumns(places),
  );
  return new Map(rows.map((row) => [buildPlaceKey(row), row.id]));
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
         BETWEEN CASE WHEN stock_items.backorderable THEN -:max::bigint ELSE 0 END AND :max
  RETURNING stock_items.id`;

function buildSumBindings(sums: ReadonlyMap<number, number>) {
  return { ids: [...sums.keys()], quantities: [...sums.values()], max: MAX_COUNT };
}

/**
 * Adds to each item's count, by item id, in one statement. An item whose count would leave its bounds is passed over:
 * the condition is part of the write, whatever the caller has checked.
 * @returns the ids of the items that moved
 */
export async function addToCounts(tx: Tx, sums: ReadonlyMap<number, number>): Promise<number[]> {
  if (sums.size === 0) return [];
  const { rows } = await tx.raw<{ rows: { id: number }[] }>(ADD_TO_COUNTS, buildSumBindings(sums));
  return rows.map((row) => row.id);
}

/**
 * Adds to the counts as `addToCounts` does and records the movements it is the sum of, in one statement.
 * @returns the ids of the items that moved, and of the movements in the order of `movements`
 */
export async function recordMovements(
  tx: Tx,
  sums: ReadonlyMap<number, number>,
  movements: readonly NewMovement[],
): Promise<{ moved: number[]; movement_ids: number[] }> {
  const { rows } = await tx.raw<{ rows: { moved: number[]; movement_ids: number[] }[] }>(
    `WITH moved AS (${ADD_TO_COUNTS}),
     noted AS (
       INSERT INTO stock_movements (stock_item_id, quantity, counted, action, originator_type, originator_id)
       SELECT stock_item_id, quantity, counted, action, originator ->> 'type', (originator ->> 'id')::integer
         FROM ROWS FROM (jsonb_to_recordset(:movements) AS (stock_item_id integer, quantity integer, counted boolean,
                                                            action text, originator jsonb))
              WITH ORDINALITY AS new (stock_item_id, quantity, counted, action, originator, place)
        ORDER BY place
       RETURNING id)
     SELECT ARRAY(SELECT id FROM moved) AS moved, ARRAY(SELECT id FROM noted ORDER BY id) AS movement_ids`,
    { ...buildSumBindings(sums), movements: JSON.stringify(movements) },
  );
  return rows[0] ?? { moved: [], movement_ids: [] };
}

/** @throws NotFound */
export async function getMovement(db: Db, id: number): Promise<RecordedMovement> {
  const movement = await db('stock_movements')
    .where({ id })
    .first<RecordedMovement | undefined>('stock_item_id', 'quantity', 'counted');
  if (movement === undefined) throw new NotFound();
  return movement;
}

export async function updateMovementQuantity(tx: Tx, id: number, quantity: number): Promise<void> {
  await tx('stock_movements').where({ id }).update({ quantity });
}

/** The count as it is now, read without a lock; 0 when there is no such item. */
export async function peekCount(db: Db, stockItemId: number): Promise<number> {
  const item = await db('stock_items')
    .where({ id: stockItemId })
    .first<{ count_on_hand: number } | undefined>('count_on_hand');
  return item?.count_on_hand ?? 0;
}
