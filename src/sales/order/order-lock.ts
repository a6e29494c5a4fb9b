import type { OrderCredentials } from '../../access/context';
import { PaymentInProgress } from '../../errors/errors';
import { NotFound } from '../../platform/errors';
import { markAsLocked, type Locked } from '../../platform/database/locked';
import type { Tx } from '../../platform/database/transaction';
import { authorizeOrder } from '../../access/authorization';
import { noteSoldContents } from './order-changes.repository';
import {
  findOrderGraph,
  findOrderWithStates,
  loadOrderGraph,
  loadOrderGraphs,
  loadOrderWithStates,
  type AddedVariant,
  type OrderGraph,
} from './order-graph';
import { findKeptVariants, getOrderVariants } from './order-variants';
import {
  hasPaymentInProgress,
  holdOrder,
  lockOrderById,
  lockOrderByNumber,
  lockOrderRows,
  type ShownOrder,
} from './orders.repository';

export type LockedOrder = Locked<ShownOrder>;

/** A locked order with its nested records. */
export type LockedOrderGraph = OrderGraph & LockedOrder;

/**
 * Locks the order with this number for a change by the actor. Always the first lock of a transaction: order, then
 * shipments, then payments, then stock items by id.
 * @throws NotFound, NotAuthorized; PaymentInProgress while a gateway call for one of its payments is running
 */
export async function lockOrder(tx: Tx, caller: OrderCredentials, number: string): Promise<LockedOrder> {
  const order = await lockAuthorizedOrder(tx, caller, number);
  // The records of a sold order are needed for its history.
  if (order.completed_at === null) await rejectWhileProcessing(tx, order.id);
  else await loadParts(tx, order);
  return order;
}

/**
 * Locks an order as `lockOrder` does and loads its nested records. Two statements that travel together; the loaded
 * payments show whether a gateway call is running.
 * @throws NotFound, NotAuthorized, PaymentInProgress
 */
export async function lockOrderGraph(
  tx: Tx,
  caller: OrderCredentials,
  number: string,
): Promise<LockedOrderGraph> {
  // The graph is read after the lock is granted.
  const [isHeld, graph] = await Promise.all([holdOrder(tx, { number }), findOrderGraph(tx, number)]);
  return useAuthorized(tx, caller, isHeld ? graph : undefined);
}

/** @throws NotFound, NotAuthorized, PaymentInProgress */
function useAuthorized(tx: Tx, caller: OrderCredentials, graph: OrderGraph | undefined): LockedOrderGraph {
  if (graph === undefined) throw new NotFound();
  authorizeOrder(caller, graph);
  return useParts(tx, markAsLocked(graph));
}

/**
 * Locks an order as `lockOrderGraph` does, with its variants and the added one in `variants`, for use cases that reply
 * with an open order. The variants are as they were when the lock was granted. One more statement if one of them has
 * changed since it was last read.
 * @throws NotFound, NotAuthorized, PaymentInProgress
 */
export async function lockOrderWithVariants(
  tx: Tx,
  caller: OrderCredentials,
  number: string,
  added: AddedVariant | null = null,
): Promise<LockedOrderGraph> {
  const [isHeld, found] = await Promise.all([
    holdOrder(tx, { number }),
    findOrderWithStates(tx, number, added),
  ]);
  const graph = useAuthorized(tx, caller, isHeld ? found?.graph : undefined);
  return { ...graph, variants: await getOrderVariants(tx, found?.states ?? [], graph.currency) };
}

/** Locks an order as `lockKnownOrder` does and loads its nested records. @throws NotFound, PaymentInProgress */
export async function lockOrderGraphById(tx: Tx, orderId: number): Promise<LockedOrderGraph> {
  return loadParts(tx, await lockKnownOrder(tx, orderId));
}

async function loadParts(tx: Tx, order: LockedOrder): Promise<LockedOrderGraph> {
  return useParts(tx, markAsLocked(await loadOrderGraph(tx, order.id)));
}

function useParts(tx: Tx, graph: LockedOrderGraph): LockedOrderGraph {
  if (isBeingPaid(graph)) throw new PaymentInProgress(graph.id);
  noteSoldContents(tx, graph);
  return graph;
}

/**
 * Locks an order with `lock`, to record the result of a gateway call for it, and loads its nested records, with its variants if all of them are kept. `lock` must send one statement, which locks the order and the
 * records that it returns. Two statements, sent together. @throws NotFound
 */
export async function lockOrderGraphOfCall<T>(
  tx: Tx,
  orderId: number,
  lock: () => Promise<T>,
): Promise<{ order: LockedOrderGraph; locked: T }> {
  const [locked, { graph, states }] = await Promise.all([lock(), loadOrderWithStates(tx, orderId)]);
  noteSoldContents(tx, graph);
  const variants = findKeptVariants(states, graph.currency);
  return { order: markAsLocked({ ...graph, variants }), locked };
}

/** @throws NotFound, NotAuthorized */
async function lockAuthorizedOrder(tx: Tx, caller: OrderCredentials, number: string): Promise<LockedOrder> {
  const order = await lockOrderByNumber(tx, number);
  if (order === undefined) throw new NotFound();
  authorizeOrder(caller, order);
  return markAsLocked(order);
}

/**
 * Locks several orders by id and loads them with their nested records, in the order of `ids`. Does not check
 * permission, nor whether a gateway call is running. Two statements.
 */
export async function lockOrderGraphsById(tx: Tx, ids: readonly number[]): Promise<LockedOrderGraph[]> {
  await lockOrdersById(tx, ids);
  return (await loadOrderGraphs(tx, ids)).map((graph) => markAsLocked(graph));
}

/**
 * Locks several orders by id for changes, and loads them as `lockOrderGraphsById` does, in the order of their ids. A
 * caller must leave an order unchanged while a gateway call for it is running (`isBeingPaid`).
 */
export async function lockOrderGraphsForChange(tx: Tx, ids: readonly number[]): Promise<LockedOrderGraph[]> {
  const sorted = [...new Set(ids)].sort((one, other) => one - other);
  const orders = await lockOrderGraphsById(tx, sorted);
  for (const order of orders) noteSoldContents(tx, order);
  return orders;
}

/** Returns whether a gateway call for one of the payments of the order is running. */
export function isBeingPaid({ payments }: OrderGraph): boolean {
  return payments.some(({ state }) => state === 'processing');
}

/**
 * Locks an order found through a nested record, such as a shipment or a payment. Does not check permission, nor whether
 * a gateway call is running: callers do. Changes of a sold order that is locked by this function alone have no history.
 * @throws NotFound
 */
export async function lockKnownOrder(tx: Tx, orderId: number): Promise<LockedOrder> {
  const order = await lockOrderById(tx, orderId);
  if (order === undefined) throw new NotFound();
  return markAsLocked(order);
}

/**
 * Rejects changes of an order while a gateway call for one of its payments is running: the order must not change while
 * it is being paid. A separate statement after the lock, because a subquery of the locking statement would read the
 * snapshot from before the wait.
 * @throws PaymentInProgress
 */
async function rejectWhileProcessing(tx: Tx, orderId: number): Promise<void> {
  if (await hasPaymentInProgress(tx, orderId)) throw new PaymentInProgress(orderId);
}

/**
 * Locks several orders, ascending by id, so that transactions that need more than one cannot deadlock: an order that is
 * restocked, and the orders whose backorders it fills. Returns no rows; read an order with the functions above.
 */
export async function lockOrdersById(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await lockOrderRows(tx, ids);
}

/** Marks an order inserted by the running transaction as locked: no other transaction can see it yet. */
export function markNewOrderAsLocked(order: ShownOrder): LockedOrder {
  return markAsLocked(order);
}
