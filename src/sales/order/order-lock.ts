import type { OrderCredentials } from '../../access/context';
import { PaymentInProgress } from '../../errors/errors';
import { NotFound } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { authorizeOrder } from '../../access/authorization';
import { loadOrderGraph, type OrderGraph } from './order-graph';
import { lockOrderById, lockOrderByNumber, type OrderRow } from './orders.repository';

declare const isLocked: unique symbol;

/** A row read under its own lock, inside the running transaction: what it says stays true until the end. */
type Locked<Row> = Row & { readonly [isLocked]: true };
export type LockedOrder = Locked<OrderRow>;

/** An order with its parts, under its lock. */
export type LockedOrderGraph = OrderGraph & LockedOrder;

/**
 * Locks the order in the path for a change by this caller. Always the first lock of a transaction: order, then
 * shipments, then payments, then stock items by id.
 * @throws NotFound, NotAuthorized; PaymentInProgress while a gateway is being asked about one of its payments
 */
export async function lockOrder(tx: Tx, caller: OrderCredentials, number: string): Promise<LockedOrder> {
  const order = await lockAuthorizedOrder(tx, caller, number);
  await rejectWhileProcessing(tx, order.id);
  return order;
}

/**
 * The same with all parts of the order, which tell whether a payment is being processed: a statement less than locking
 * and loading.
 */
export async function lockOrderGraph(tx: Tx, caller: OrderCredentials, number: string): Promise<LockedOrderGraph> {
  return loadParts(tx, await lockAuthorizedOrder(tx, caller, number));
}

/** The same for an order found by other means, as `lockKnownOrder`. @throws NotFound, PaymentInProgress */
export async function lockOrderGraphById(tx: Tx, orderId: number): Promise<LockedOrderGraph> {
  return loadParts(tx, await lockKnownOrder(tx, orderId));
}

async function loadParts(tx: Tx, order: LockedOrder): Promise<LockedOrderGraph> {
  const graph = await loadOrderGraph(tx, order.id);
  if (graph.payments.some(({ state }) => state === 'processing')) throw new PaymentInProgress(order.id);
  return { ...order, ...graph };
}

/** @throws NotFound, NotAuthorized */
async function lockAuthorizedOrder(tx: Tx, caller: OrderCredentials, number: string): Promise<LockedOrder> {
  const order = await lockOrderByNumber(tx, number);
  if (order === undefined) throw new NotFound();
  authorizeOrder(caller, order);
  return markAsLocked(order);
}

/**
 * Locks an order found by other means (its shipment, its payment); permission was decided already, and a running
 * gateway call is the caller's to handle. @throws NotFound
 */
export async function lockKnownOrder(tx: Tx, orderId: number): Promise<LockedOrder> {
  const order = await lockOrderById(tx, orderId);
  if (order === undefined) throw new NotFound();
  return markAsLocked(order);
}

/**
 * While a payment is at the gateway its order stands still: what the gateway is asked to pay for must not change.
 * A statement of its own, after the lock: a subquery of the locking statement would see the time before the wait.
 * @throws PaymentInProgress
 */
async function rejectWhileProcessing(tx: Tx, orderId: number): Promise<void> {
  const running = await tx('payments')
    .where({ order_id: orderId, state: 'processing' })
    .first<{ id: number } | undefined>('id');
  if (running !== undefined) throw new PaymentInProgress(orderId);
}

/**
 * Locks several orders by id ascending, as everybody does who needs more than one: an order that gives goods back, and
 * those that wait for them. The caller's own is locked again, and read, by the functions above.
 */
export async function lockOrdersById(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.raw('SELECT id FROM orders WHERE id = ANY(?) ORDER BY id FOR UPDATE', [[...new Set(ids)]]);
}

/** A row this transaction has just made needs no lock: nobody else can see it yet. */
export function markNewOrderAsLocked(order: OrderRow): LockedOrder {
  return markAsLocked(order);
}

/** The only place that may claim a row is locked. */
function markAsLocked(order: OrderRow): LockedOrder {
  return order as LockedOrder;
}
