import type { Db } from '../../platform/database/knex';
import { defined } from '../../platform/defined';
import type { Tx } from '../../platform/database/transaction';
import { orderNumber } from '../../platform/numbers';
import type { OrderState } from './order.machine';
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

export interface NewOrder {
  /** Random when left out. */
  number?: string | undefined;
  token_seed: Buffer;
  token_hash: Buffer;
  user_id: number | null;
  email: string | null;
  special_instructions?: string | null | undefined;
  channel?: string | undefined;
  currency: string;
}

const ATTEMPTS = 20;

/**
 * Stores a new, empty cart. A random number that is taken is tried again, with one digit more after many failures:
 * more than half of the numbers of that length are used then.
 * @throws the unique violation when the caller named a number that is taken
 */
export async function insertOrder(tx: Tx, order: NewOrder): Promise<OrderRow> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const number = order.number ?? orderNumber(attempt < ATTEMPTS / 2 ? 9 : 10);
    const insert = tx<OrderRow>('orders').insert(defined({ ...order, number }));
    if (order.number === undefined) void insert.onConflict('number').ignore();
    const [row] = await insert.returning('*');
    if (row !== undefined) return row;
  }
  throw new Error('no free order number found');
}

export async function findOrderByNumber(db: Db, number: string): Promise<OrderRow | undefined> {
  return db<OrderRow>('orders').where({ number }).first();
}

export async function lockOrderByNumber(tx: Tx, number: string): Promise<OrderRow | undefined> {
  return tx<OrderRow>('orders').where({ number }).forUpdate().first();
}

export async function lockOrderById(tx: Tx, id: number): Promise<OrderRow | undefined> {
  return tx<OrderRow>('orders').where({ id }).forUpdate().first();
}

/** Writes columns of an order and gives back the row as it is then; updated_at moves even when nothing else does. */
export async function updateOrderRow(
  tx: Tx,
  id: number,
  patch: Partial<Omit<OrderRow, 'id'>>,
): Promise<OrderRow> {
  const [row] = await tx<OrderRow>('orders')
    .where({ id })
    .update({ updated_at: tx.fn.now(), ...patch })
    .returning('*');
  if (row === undefined) throw new Error(`order ${id} is gone`);
  return row;
}
