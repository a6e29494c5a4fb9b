import type { OrderCredentials } from '../../access/context';
import { PaymentInProgress } from '../../errors/errors';
import { findOrdersToFill, type PlacedChange } from '../../inventory/stock-ledger';
import { NotFound } from '../../platform/errors';
import { markAsLocked, type Locked } from '../../platform/database/locked';
import type { Tx } from '../../platform/database/transaction';
import { authorizeOrder } from '../../access/authorization';
import { getAuthorizedOrder } from './order-access';
import { findOrder, loadOrderGraph, loadOrderGraphs, type AddedVariant } from './load-order-graph';
import type { OrderGraph } from './order-graph';
import { findKeptVariants, getOrderVariants } from './order-variants';
import { holdOrder, holdOrders, type ShownOrder } from './orders.repository';

export type LockedOrder = Locked<ShownOrder>;

/** A locked order with its nested records. */
export type LockedOrderGraph = OrderGraph & LockedOrder;

/** An order by its number, for credentials that must permit its use, or by its id, without a check of permissions. */
export type OrderKey = { number: string; credentials: OrderCredentials } | { id: number };

/** What a use case needs of the order that it locks. */
export interface Wanted {
  /**
   * Its variants, for replies with an open order. `read`: one more statement if one of them has changed since it was last
   * read. `kept`: none are read, and there are none unless all of them are in memory.
   */
  variants?: 'read' | 'kept';
  /** A variant that the actor adds to the order of this number. It is one of `variants`. */
  added?: AddedVariant | null;
  /** Whether the order may be locked while a gateway call for one of its payments is running. */
  whilePaid?: boolean;
  /** Whether a statement that was sent before has locked the order. */
  isHeld?: boolean;
  /**
   * Estimates what the use case will restock. The orders whose backorders it may fill are then locked, too, all by id, so
   * that two orders that fill each other's backorders do not deadlock.
   */
  restocks?: (order: OrderGraph) => readonly PlacedChange[] | Promise<readonly PlacedChange[]>;
}

/** A change calculates all lines of an order again. */
const LINES_PER_POINT = 8;

/**
 * Locks an order for a change, and reads it with its nested records after the lock is granted: two statements that travel
 * together. Always the first lock of a transaction: order, then payments, then promotions, then stock items by id.
 * @throws NotFound, NotAuthorized; PaymentInProgress while a gateway call for one of its payments is running
 */
export async function lockOrder(tx: Tx, key: OrderKey, wanted: Wanted = {}): Promise<LockedOrderGraph> {
  const { variants, added = null, whilePaid = false, isHeld = false, restocks } = wanted;
  if (restocks !== undefined) await holdOrdersToFill(tx, key, restocks);
  const [exists, read] = await Promise.all([
    isHeld || holdOrder(tx, key),
    findOrder(tx, key, { withStates: variants !== undefined, added }),
  ]);
  if (!exists || read === undefined) throw new NotFound();
  const { graph, states } = read;
  if ('credentials' in key) {
    authorizeOrder(key.credentials, graph);
    key.credentials.noteCost?.(graph.line_items.length / LINES_PER_POINT);
  }
  if (!whilePaid && isBeingPaid(graph)) throw new PaymentInProgress(graph.id);
  if (variants === undefined) return markAsLocked(graph);
  const { currency } = graph;
  const found =
    variants === 'read' ? await getOrderVariants(tx, states, currency) : findKeptVariants(states, currency);
  return markAsLocked({ ...graph, variants: found });
}

/**
 * Locks an order with the orders whose backorders it may fill, before the order is locked and read (`Wanted.restocks`). An
 * estimate, because nothing is locked yet. Locks nothing if there are none, nor for an incomplete order that is given by
 * its number: its stock is not taken yet.
 * @throws NotFound, NotAuthorized
 */
export async function holdOrdersToFill(
  tx: Tx,
  key: OrderKey,
  restocks: NonNullable<Wanted['restocks']>,
): Promise<void> {
  const id = 'id' in key ? key.id : await findSoldOrderId(tx, key);
  if (id === null) return;
  const others = await findOrdersToFill(tx, await restocks(await loadOrderGraph(tx, id)));
  if (others.length > 0) await holdOrders(tx, [id, ...others]);
}

async function findSoldOrderId(tx: Tx, { number, credentials }: Extract<OrderKey, { number: string }>) {
  const { id, completed_at } = await getAuthorizedOrder({ ...credentials, db: tx }, number);
  return completed_at === null ? null : id;
}

/**
 * Locks several orders by id, ascending, and reads them as `lockOrder` does, in the order of their ids. Does not check
 * permissions, nor whether a gateway call is running: a caller must leave an order unchanged that `isBeingPaid`. Unknown
 * ids are ignored. Two statements.
 */
export async function lockOrders(tx: Tx, ids: readonly number[]): Promise<LockedOrderGraph[]> {
  const sorted = [...new Set(ids)].sort((one, other) => one - other);
  await holdOrders(tx, sorted);
  return (await loadOrderGraphs(tx, sorted)).map((graph) => markAsLocked(graph));
}

/**
 * Returns whether a gateway call for one of the payments of the order is running. What waits for the buyer or the
 * provider can take days, so a sold order may change meanwhile; a cart may not, because its stock is held.
 */
export function isBeingPaid({ payments, completed_at }: OrderGraph): boolean {
  return payments.some(
    ({ state, waiting }) => state === 'processing' && (completed_at === null || waiting === null),
  );
}

/** Marks an order inserted by the running transaction as locked: no other transaction can see it yet. */
export function markNewOrderAsLocked(order: ShownOrder): LockedOrder {
  return markAsLocked(order);
}
