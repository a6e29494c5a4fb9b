import type { Knex } from 'knex';
import type { Metadata } from '../../access/metadata';
import type { LockedId } from '../../platform/database/locked';
import { STORE_MONEY_FORMAT } from '../../catalog/store-settings-sql';
import type { MoneyDisplay } from '../../platform/money-format';
import { SELECT_REVISIONS, type ReferenceRevisions } from '../../geography/reference-revisions.repository';
import type { Db } from '../../platform/database/knex';
import type { Binding } from '../../platform/database/session';
import { composeStatement, queryPrepared, type BoundStatement } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import { MAX_INT4 } from '../../platform/int4';
import type { Decided } from '../../platform/perform';
import { applyFilters } from '../../platform/query-builder/apply-search';
import type { SearchDefinition } from '../../platform/query-builder/define-search';
import { findIdPage, findPlainIdPage, findRankedIdPage } from '../../platform/query-builder/id-page';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { isSameValue, type ColumnType } from './column-values';
import { buildOrderMatches } from './order-search.repository';
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

const COLUMNS: Record<keyof OrderRow, ColumnType> = {
  id: 'integer',
  number: 'text',
  token_seed: 'bytea',
  token_hash: 'bytea',
  state: 'text',
  user_id: 'integer',
  email: 'text',
  special_instructions: 'text',
  vat_id: 'text',
  channel: 'text',
  currency: 'text',
  bill_address_id: 'integer',
  ship_address_id: 'integer',
  item_total: 'numeric',
  ship_total: 'numeric',
  promo_total: 'numeric',
  adjustment_total: 'numeric',
  included_tax_total: 'numeric',
  additional_tax_total: 'numeric',
  total: 'numeric',
  payment_total: 'numeric',
  total_quantity: 'numeric',
  payment_state: 'text',
  shipment_state: 'text',
  considered_risky: 'boolean',
  canceler_id: 'integer',
  canceled_at: 'timestamptz',
  approver_id: 'integer',
  approved_at: 'timestamptz',
  completed_at: 'timestamptz',
  metadata: 'jsonb',
  public_metadata: 'jsonb',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
};

/** Columns to write. The state must have been decided by a machine. */
export type OrderColumns = Partial<Omit<OrderRow, 'id' | 'state' | 'updated_at'>> & {
  state?: Decided<OrderState>;
};

/** All columns of `orders`. Prepared statements must not use `*`, because its meaning changes with the table. */
export const ORDER_COLUMNS = Object.keys(COLUMNS) as (keyof OrderRow)[]; // the type of `COLUMNS`

/** Selects the columns of orders `o` as JSON has them: amounts are text, because JSON numbers are floats. */
export const JSON_COLUMNS = ORDER_COLUMNS.map((column) =>
  COLUMNS[column] === 'numeric' ? `o.${column}::text` : `o.${column}`,
).join(', ');

/** The columns that a change of an order may write. */
const WRITTEN_COLUMNS = ORDER_COLUMNS.filter(
  (column) => !['id', 'created_at', 'updated_at'].includes(column),
);

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
  if (list.feed !== null) return findIdPage(db, joined, list, search);
  const ranked = { ...search, baseOrder: ['found.rank', 'orders.id DESC'] };
  return findRankedIdPage(db, joined, list, { search: ranked, rank: 'searched.rank' });
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

const ROW_COLUMNS = ORDER_COLUMNS.join(', ');
const SHOWN_COLUMNS = `${ROW_COLUMNS}, ${STORE_MONEY_FORMAT} AS money_format`;
const READ_BY_NUMBER = {
  name: 'read_order_by_number',
  sql: `SELECT ${SHOWN_COLUMNS}, ${SELECT_REVISIONS} AS revisions FROM orders WHERE number = ?`,
};
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

/**
 * Locks several orders, ascending by id, so that transactions that need more than one cannot deadlock. Read them
 * afterwards. No statement for none.
 */
export async function holdOrders(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.raw('SELECT id FROM orders WHERE id = ANY(?) ORDER BY id FOR UPDATE', [[...new Set(ids)]]);
}

/** Builds the update of columns of an order. Always sets updated_at. */
export function buildOrderUpdate({ id }: LockedId, patch: OrderColumns, updated_at: Date): BoundStatement {
  const columns = listChanges(patch);
  const changes = ['updated_at = ?', ...columns.map(([column]) => `${column} = ?`)];
  return {
    statement: composeStatement(`UPDATE orders SET ${changes.join(', ')} WHERE id = ?`),
    bindings: [updated_at, ...columns.map(([, value]) => toBinding(value)), id],
  };
}

/** Returns the columns that differ, except those that changes do not write. */
export function listChangedColumns(before: OrderRow, after: OrderRow): OrderColumns {
  const changed = WRITTEN_COLUMNS.filter(
    (column) => !isSameValue(COLUMNS[column], before[column], after[column]),
  );
  // A machine has decided the state of `after`, because the type of the patches requires it.
  return Object.fromEntries(changed.map((column) => [column, after[column]]));
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

/** What a link to an order is made of. */
export interface LinkedOrder {
  number: string;
  email: string;
  token_seed: Buffer;
}

/** Finds a complete order with an e-mail address by its number, in any case. */
export async function findOrderForLink(db: Db, number: string): Promise<LinkedOrder | undefined> {
  return db('orders')
    .whereIn('number', [number, number.toUpperCase()])
    .whereNotNull('completed_at')
    .whereNotNull('email')
    .first<LinkedOrder | undefined>('number', 'email', 'token_seed');
}
