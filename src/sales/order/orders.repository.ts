import type { Knex } from 'knex';
import type { Metadata } from '../../access/metadata';
import type { LockedId } from '../../platform/database/locked';
import { STORE_MONEY_FORMAT } from '../../catalog/store-settings';
import type { MoneyDisplay } from '../../platform/money';
import { SELECT_REVISIONS, type ReferenceRevisions } from '../../platform/database/kept-data';
import type { Db } from '../../platform/database/knex';
import type { Binding } from '../../platform/database/pooled-connection';
import { composeStatement, queryPrepared, type UnsentStatement } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import { MAX_INT4 } from '../../platform/int4';
import type { Decided } from '../../platform/perform';
import { applyFilters } from '../../platform/query-builder/apply-search';
import type { SearchDefinition } from '../../platform/query-builder/define-search';
import { findIdPage, findPlainIdPage } from '../../platform/query-builder/id-page';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { buildOrderMatches } from './order-search.repository';
import { selectReturned, type WriteParts } from './nested-write';
import { buildStateChangesSql, type StateChange } from './state-changes.repository';
import type { OrderState } from './order.machine';
import { FEED, FEED_WITH_CARTS, orderSearch, ownOrderSearch } from './orders.search';
import type { OrderPaymentState, OrderShipmentState } from './order-totals';

/** A row of `orders`. Amounts are decimal strings. */
export interface OrderRow extends Metadata {
  id: number;
  number: string;
  token_seed: Buffer;
  token_hash: Buffer;
  state: OrderState;
  user_id: number | null;
  email: string | null;
  special_instructions: string | null;
  vat_id: string | null;
  channel: string;
  currency: string;
  bill_address_id: number | null;
  ship_address_id: number | null;
  item_total: string;
  ship_total: string;
  promo_total: string;
  adjustment_total: string;
  included_tax_total: string;
  additional_tax_total: string;
  total: string;
  payment_total: string;
  /** A bigint column, returned as text. */
  total_quantity: string;
  payment_state: OrderPaymentState | null;
  shipment_state: OrderShipmentState | null;
  considered_risky: boolean;
  canceler_id: number | null;
  canceled_at: Date | null;
  approver_id: number | null;
  approved_at: Date | null;
  completed_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** An order with the format in which its amounts are shown. */
export interface ShownOrder extends OrderRow, MoneyDisplay {}

const COLUMNS: Record<keyof OrderRow, true> = {
  id: true,
  number: true,
  token_seed: true,
  token_hash: true,
  state: true,
  user_id: true,
  email: true,
  special_instructions: true,
  vat_id: true,
  channel: true,
  currency: true,
  bill_address_id: true,
  ship_address_id: true,
  item_total: true,
  ship_total: true,
  promo_total: true,
  adjustment_total: true,
  included_tax_total: true,
  additional_tax_total: true,
  total: true,
  payment_total: true,
  total_quantity: true,
  payment_state: true,
  shipment_state: true,
  considered_risky: true,
  canceler_id: true,
  canceled_at: true,
  approver_id: true,
  approved_at: true,
  completed_at: true,
  metadata: true,
  public_metadata: true,
  created_at: true,
  updated_at: true,
};

/** Columns to write. The state must have been decided by a machine. */
export type OrderColumns = Partial<Omit<OrderRow, 'id' | 'state' | 'updated_at'>> & {
  state?: Decided<OrderState>;
};

/** All columns of `orders`. Prepared statements must not use `*`, because its meaning changes with the table. */
export const ORDER_COLUMNS = Object.keys(COLUMNS);

/**
 * Returns one page of orders, without nested records, and the number of all matches. A page of the feed has complete
 * orders, and open ones only with `carts`. With `text`, only orders that match it (`buildOrderMatches`).
 */
export async function findOrderPage(
  db: Db,
  list: ListQuery,
  { carts, text }: { carts: boolean; text: string | null },
): Promise<Page<ShownOrder>> {
  const search = { ...orderSearch, feed: carts ? FEED_WITH_CARTS : FEED };
  const matching = applyFilters(db('orders'), list, search);
  const page =
    text === null
      ? await findIdPage(db, matching, list, search)
      : await findSearchedPage(db, matching, list, { search, text });
  const found = await selectShownOrders(db).whereIn('id', page.rows);
  const byId = new Map(found.map((order) => [order.id, order]));
  return { ...page, rows: page.rows.flatMap((id) => byId.get(id) ?? []) };
}

/** Finds the page of the orders that match a text; without sorts, the first matching kind first, then the newest. */
async function findSearchedPage(
  db: Db,
  matching: Knex.QueryBuilder,
  list: ListQuery,
  { search, text }: { search: SearchDefinition; text: string },
): Promise<Page<number>> {
  const joined = matching.joinRaw('JOIN ? AS searched ON searched.id = orders.id', [
    buildOrderMatches(db, text),
  ]);
  const ranked = { ...search, baseOrder: ['searched.rank', 'orders.id DESC'] };
  return list.feed === null
    ? findPlainIdPage(db, joined, list, ranked)
    : findIdPage(db, joined, list, ranked);
}

/** Returns the ids of one page of a user's orders: complete orders first, newest first. */
export async function findOwnOrderIds(db: Db, userId: number, list: ListQuery): Promise<Page<number>> {
  const own = applyFilters(db('orders'), list, ownOrderSearch).where('orders.user_id', userId);
  return findPlainIdPage(db, own, list, ownOrderSearch);
}

/** Returns the id of the newest incomplete order of a user, or null. */
export async function findCurrentOrderId(db: Db, userId: number): Promise<number | null> {
  const order = await db<OrderRow>('orders')
    .where({ user_id: userId })
    .whereNull('completed_at')
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .first('id');
  return order?.id ?? null;
}

/** An order with the revisions of reference data at the time of its reading. */
export interface ReadOrder extends ShownOrder {
  revisions: ReferenceRevisions;
}

/** Returns the order with this number, or undefined. For reading; changes use `lockOrderByNumber`. */
export async function findOrderByNumber(db: Db, number: string): Promise<ReadOrder | undefined> {
  const [order] = await queryPrepared<ReadOrder>(db, READ_BY_NUMBER, [number]);
  return order;
}

function selectShownOrders(db: Db) {
  return db('orders').select<ShownOrder[]>('orders.*', db.raw(`${STORE_MONEY_FORMAT} AS money_format`));
}

/** Returns the id of the order whose number or id is `key`, or undefined. Numbers take precedence. */
export async function findOrderKey(db: Db, key: string): Promise<number | undefined> {
  const byNumber = await db('orders').where({ number: key }).first<{ id: number } | undefined>('id');
  if (byNumber !== undefined || !/^\d{1,10}$/.test(key) || Number(key) > MAX_INT4) return byNumber?.id;
  return (
    await db('orders')
      .where({ id: Number(key) })
      .first<{ id: number } | undefined>('id')
  )?.id;
}

/**
 * Sets the addresses of an order and deletes the replaced ones, except those that another order or a user refers to.
 * One statement.
 */
export async function replaceOrderAddresses(
  tx: Tx,
  orderId: number,
  addresses: { bill_address_id: number | null; ship_address_id: number | null },
): Promise<void> {
  await tx.raw(
    `WITH before AS (SELECT id, bill_address_id, ship_address_id FROM orders WHERE id = :order),
          moved AS (
            UPDATE orders SET bill_address_id = :bill::integer, ship_address_id = :ship::integer FROM before
             WHERE orders.id = before.id RETURNING orders.id)
     DELETE FROM addresses USING before, moved
      WHERE addresses.id IN (before.bill_address_id, before.ship_address_id)
        AND addresses.id <> ALL (array_remove(ARRAY[:bill, :ship]::integer[], NULL))
        AND NOT EXISTS (
              SELECT FROM orders other WHERE other.bill_address_id = addresses.id AND other.id <> before.id
              UNION ALL
              SELECT FROM orders other WHERE other.ship_address_id = addresses.id AND other.id <> before.id
              UNION ALL SELECT FROM users WHERE bill_address_id = addresses.id
              UNION ALL SELECT FROM users WHERE ship_address_id = addresses.id)`,
    { order: orderId, bill: addresses.bill_address_id, ship: addresses.ship_address_id },
  );
}

const ROW_COLUMNS = ORDER_COLUMNS.join(', ');
const SHOWN_COLUMNS = `${ROW_COLUMNS}, ${STORE_MONEY_FORMAT} AS money_format`;
const READ_BY_NUMBER = {
  name: 'read_order_by_number',
  sql: `SELECT ${SHOWN_COLUMNS}, ${SELECT_REVISIONS} AS revisions FROM orders WHERE number = ?`,
};
const LOCK = `SELECT ${SHOWN_COLUMNS} FROM orders WHERE`;
const LOCK_BY_NUMBER = { name: 'lock_order_by_number', sql: `${LOCK} number = ? FOR UPDATE` };
const LOCK_BY_ID = { name: 'lock_order_by_id', sql: `${LOCK} id = ? FOR UPDATE` };

/** Locks and returns the order with this number, or undefined. Waits for transactions that hold the lock. */
export async function lockOrderByNumber(tx: Tx, number: string): Promise<ShownOrder | undefined> {
  const [order] = await queryPrepared<ShownOrder>(tx, LOCK_BY_NUMBER, [number]);
  return order;
}

/** Locks and returns the order with this id, or undefined. */
export async function lockOrderById(tx: Tx, id: number): Promise<ShownOrder | undefined> {
  const [order] = await queryPrepared<ShownOrder>(tx, LOCK_BY_ID, [id]);
  return order;
}

const HOLD_BY_NUMBER = {
  name: 'hold_order_by_number',
  sql: 'SELECT id FROM orders WHERE number = ? FOR UPDATE',
};
const HOLD_BY_ID = { name: 'hold_order_by_id', sql: 'SELECT id FROM orders WHERE id = ? FOR UPDATE' };

/**
 * Locks an order, for callers that read it in a statement of its own afterwards.
 * @returns false if the order did not exist; one that is created meanwhile is not locked
 */
export async function holdOrder(tx: Tx, key: { number: string } | { id: number }): Promise<boolean> {
  const rows =
    'number' in key
      ? await queryPrepared(tx, HOLD_BY_NUMBER, [key.number])
      : await queryPrepared(tx, HOLD_BY_ID, [key.id]);
  return rows.length > 0;
}

/** What is stored together with a change of an order. */
export interface OrderWrites {
  /** The history of states. */
  moves: readonly StateChange[];
  /** Writes of other tables. */
  others: readonly Knex.Raw[];
  /** Writes whose results are needed. */
  nested: readonly WriteParts[];
}

/**
 * The columns of an order that a statement has written, as they are stored, and what its nested writes returned if it has
 * any.
 */
export interface SavedOrderRow extends Pick<OrderRow, 'updated_at'>, Partial<Omit<OrderRow, 'updated_at'>> {
  returned?: readonly unknown[];
}

/**
 * Builds the statement that updates columns of an order and stores its history and other writes. Always sets
 * updated_at. Yields the columns that it writes (`readOrderRow`).
 */
export function buildOrderUpdate(
  tx: Tx,
  { id }: LockedId,
  patch: OrderColumns,
  { moves, others, nested }: OrderWrites,
): UnsentStatement<SavedOrderRow> {
  const parts: { sql: string; bindings: readonly unknown[] }[] = others.map((write) => write.toSQL());
  if (moves.length > 0) parts.unshift(buildStateChangesSql(moves));
  const before = parts.map(({ sql }, place) => `part_${place} AS (${sql})`);
  before.push(...nested.map((write) => write.parts));
  const columns = listChanges(patch);
  const changes = ['updated_at = CURRENT_TIMESTAMP', ...columns.map(([column]) => `${column} = ?`)];
  const returned = ['updated_at', ...columns.map(([column]) => column)];
  if (nested.length > 0) returned.push(selectReturned(nested));
  return composeStatement<SavedOrderRow>(
    tx,
    `${before.length > 0 ? `WITH ${before.join(', ')} ` : ''}UPDATE orders SET ${changes.join(', ')} WHERE id = ? RETURNING ${returned.join(', ')}`,
    [
      ...parts.flatMap(({ bindings }) => bindings as Binding[]), // knex declares them as unknown
      ...nested.flatMap(({ bindings }) => bindings),
      ...columns.map(([, value]) => toBinding(value)),
      id,
    ],
  );
}

/** Lists the columns to write with their values. @throws Error for an unknown column, because names become SQL */
function listChanges(patch: OrderColumns) {
  const columns = Object.entries(patch).filter(([, value]) => value !== undefined);
  const unknown = columns.find(([column]) => !Object.hasOwn(COLUMNS, column));
  if (unknown !== undefined) throw new Error(`orders have no column ${unknown[0]}`);
  return columns;
}

/** Converts a value of a column to a binding. Metadata becomes JSON. */
function toBinding(value: Exclude<OrderColumns[keyof OrderColumns], undefined>): Binding {
  const isObject = typeof value === 'object' && value !== null;
  return isObject && !(value instanceof Date) && !Buffer.isBuffer(value) ? JSON.stringify(value) : value;
}

/** Returns the row that an update of one order yields. */
export function readOrderRow([row]: readonly SavedOrderRow[]): SavedOrderRow {
  if (row === undefined) throw new Error('the updated order does not exist');
  return row;
}
