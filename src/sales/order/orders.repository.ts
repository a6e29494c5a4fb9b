import { STORE_CURRENCY } from '../../catalog/store-settings';
import type { Db } from '../../platform/database/knex';
import { queryPrepared } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import { MAX_INT4 } from '../../platform/int4';
import { generateOrderNumber } from '../../platform/numbers';
import type { Decided } from '../../platform/perform';
import { applyFilters } from '../../platform/query-builder/apply-search';
import { findIdPage, findPlainIdPage } from '../../platform/query-builder/id-page';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { buildInitialStatesInsert, buildStateChangesInsert, type StateChange } from './state-changes.repository';
import { insertWithUniqueNumber } from './unique-number';
import type { OrderState } from './order.machine';
import { orderSearch, ownOrderSearch } from './orders.search';
import type { OrderPaymentState, OrderShipmentState } from './order-totals';

/** A row of `orders`; amounts are decimal strings, as PostgreSQL gives them. */
export interface OrderRow {
  id: number;
  number: string;
  token_seed: Buffer;
  token_hash: Buffer;
  state: OrderState;
  user_id: number | null;
  email: string | null;
  special_instructions: string | null;
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
  /** A bigint column: arrives as text. */
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

const COLUMNS: Record<keyof OrderRow, true> = {
  id: true,
  number: true,
  token_seed: true,
  token_hash: true,
  state: true,
  user_id: true,
  email: true,
  special_instructions: true,
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
  created_at: true,
  updated_at: true,
};

/** Columns to write; the state is one that a machine decided. */
export type OrderColumns = Partial<Omit<OrderRow, 'id' | 'state'>> & { state?: Decided<OrderState> };

/** Named one by one, as a prepared statement must. */
export const ORDER_COLUMNS = Object.keys(COLUMNS);

export interface NewOrder {
  /** Random when left out. */
  number?: string;
  token_seed: Buffer;
  token_hash: Buffer;
  user_id: number | null;
  email: string | null;
  channel?: string;
  /** The default store's when left out. */
  currency?: string;
}

/**
 * Stores a new, empty cart and notes its beginning, in one statement, one more when a random number is taken.
 * @throws the unique violation when the caller named a number that is taken
 */
export async function insertOrder(
  tx: Tx,
  order: NewOrder,
  cause: Pick<StateChange, 'user_id' | 'reason'>,
): Promise<OrderRow> {
  return insertWithUniqueNumber(async (moreDigits) => {
    const number = order.number ?? generateOrderNumber(9 + moreDigits);
    const insert = tx('orders').insert({ currency: tx.raw(STORE_CURRENCY), ...order, number });
    if (order.number === undefined) void insert.onConflict('number').ignore();
    return tx<OrderRow>('made')
      .with('made', insert.returning('*'))
      .with('noted', buildInitialStatesInsert(tx, 'order', cause))
      .first();
  });
}

/** Orders of one page, without their parts, and how many match in all. Two statements. */
export async function findOrderPage(db: Db, list: ListQuery): Promise<Page<OrderRow>> {
  const page = await findIdPage(db, applyFilters(db('orders'), list, orderSearch), list, orderSearch);
  const found = await db<OrderRow>('orders').whereIn('id', page.rows);
  const byId = new Map(found.map((order) => [order.id, order]));
  return { ...page, rows: page.rows.flatMap((id) => byId.get(id) ?? []) };
}

/** The ids of one page of a user's orders, in the order of behaviour 3.4. */
export async function findOwnOrderIds(db: Db, userId: number, list: ListQuery): Promise<Page<number>> {
  const own = applyFilters(db('orders'), list, ownOrderSearch).where('orders.user_id', userId);
  return findPlainIdPage(db, own, list, ownOrderSearch);
}

/** The newest order of a user that is not complete; null when there is none. */
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

/** For reading; `lockOrderByNumber` for changes. */
export async function findOrderByNumber(db: Db, number: string): Promise<OrderRow | undefined> {
  return db<OrderRow>('orders').where({ number }).first();
}

/** The id of the order of that number, or of that id in digits. */
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
 * Gives an order other addresses and removes those it had, as nobody asks for them any more; what somebody else is at,
 * too, stays. One statement.
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

const LOCK = `SELECT ${ORDER_COLUMNS.join(', ')} FROM orders WHERE`;
const LOCK_BY_NUMBER = { name: 'lock_order_by_number', sql: `${LOCK} number = ? FOR UPDATE` };
const LOCK_BY_ID = { name: 'lock_order_by_id', sql: `${LOCK} id = ? FOR UPDATE` };

/** Waits for whoever is changing the order, and reads it then. */
export async function lockOrderByNumber(tx: Tx, number: string): Promise<OrderRow | undefined> {
  const [order] = await queryPrepared<OrderRow>(tx, LOCK_BY_NUMBER, [number]);
  return order;
}

/** As `lockOrderByNumber`. */
export async function lockOrderById(tx: Tx, id: number): Promise<OrderRow | undefined> {
  const [order] = await queryPrepared<OrderRow>(tx, LOCK_BY_ID, [id]);
  return order;
}

/**
 * Writes columns of an order, and the history of what that means, in one statement; gives back the row as it is then.
 * updated_at moves even when nothing else does.
 */
export async function updateOrderRow(
  tx: Tx,
  id: number,
  patch: OrderColumns,
  history: readonly StateChange[] = [],
): Promise<OrderRow> {
  const update = tx<OrderRow>('orders')
    .where({ id })
    .update({ updated_at: tx.fn.now(), ...patch });
  if (history.length > 0) void update.with('noted', buildStateChangesInsert(tx, history));
  const [row] = await update.returning('*');
  if (row === undefined) throw new Error(`order ${id} is gone`);
  return row;
}
