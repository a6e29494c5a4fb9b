import type { Knex } from 'knex';
import { NO_REVISIONS } from '../../platform/database/kept-data';
import { requireRow } from '../../platform/database/require-row';
import { awaitSent, LastStatement, startStatement, type Tx } from '../../platform/database/transaction';
import type { StateChange, Cause } from '../order/state-changes.repository';
import { buildOrderChangesInsert } from '../order/order-changes.repository';
import { loadOrderGraph, type OrderGraph } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import { applyReturned, buildNestedWrites, type NestedWrite } from '../order/nested-write';
import { buildOrderUpdate, readOrderRow } from '../order/orders.repository';
import type { OrderColumns, SavedOrderRow } from '../order/orders.repository';
import type { OrderTotals } from '../order/order-totals';

/**
 * A locked order with pending changes. The functions here and in recalculate-order.ts return a new draft; `saveDraft`
 * writes the changes.
 */
export interface OrderDraft<Order extends LockedOrderGraph = LockedOrderGraph> {
  readonly order: Order;
  /** Changed columns of the order that are not written yet. */
  readonly unsaved: OrderColumns;
  /** History of the order that is not written yet. */
  readonly stateChanges: readonly StateChange[];
  /** Writes of other tables that are not sent yet. */
  readonly writes: readonly Knex.Raw[];
  /** Statements that are not sent yet (`deferStatement`). */
  readonly deferred: readonly DeferredStatement[];
  /** Writes of nested records that are not sent yet (`addNestedWrite`). */
  readonly nested: readonly NestedWrite<LockedOrderGraph>[];
  /** Who makes the changes and why; null without changes. */
  readonly cause: Cause | null;
}

/**
 * Sends one statement that writes nested records or other tables. Returns a function that adds the values that the
 * statement returns to an order.
 */
export type DeferredStatement = () => Promise<(order: LockedOrderGraph) => LockedOrderGraph>;

/** Creates a draft without changes. */
export function createDraft<Order extends LockedOrderGraph>(order: Order): OrderDraft<Order> {
  return { order, unsaved: {}, stateChanges: [], writes: [], deferred: [], nested: [], cause: null };
}

/** Changes columns of a draft and adds a state change to its history. New addresses are loaded by `reloadDraft`. */
export function patchDraft<Order extends LockedOrderGraph>(
  draft: OrderDraft<Order>,
  patch: OrderPatch,
  cause: Cause,
): OrderDraft<Order> {
  const { order } = draft;
  const state = patch.state ?? order.state;
  const move = { order_id: order.id, subject_type: 'order', subject_id: order.id, ...cause } as const;
  return {
    ...draft,
    order: { ...order, ...patch },
    unsaved: mergeColumns(draft.unsaved, patch),
    cause,
    stateChanges:
      state === order.state
        ? draft.stateChanges
        : [...draft.stateChanges, { ...move, from_state: order.state, to_state: state }],
  };
}

/** Adds changed columns. V8 adds properties slowly to a copy by spread. */
export function mergeColumns(columns: OrderColumns, more: OrderColumns): OrderColumns {
  return Object.assign({}, columns, more);
}

/**
 * Adds writes that `saveDraft` sends in the statement of the order. They must write rows of other tables that nothing
 * else writes or reads before, because the parts of one statement do not see each other.
 */
export function addWrites<Order extends LockedOrderGraph>(
  draft: OrderDraft<Order>,
  writes: readonly Knex.Raw[],
): OrderDraft<Order> {
  return { ...draft, writes: [...draft.writes, ...writes] };
}

/**
 * Defers a statement, so that it is sent together with that of the order. It is sent first, or before the nested records
 * are read again. Until then, no other statement may read or write its records. It must fail if it cannot write
 * everything, because COMMIT may be sent before its result is known.
 */
export function deferStatement<Order extends LockedOrderGraph>(
  draft: OrderDraft<Order>,
  ...statements: readonly DeferredStatement[]
): OrderDraft<Order> {
  return { ...draft, deferred: [...draft.deferred, ...statements] };
}

/**
 * Adds a write of nested records that is sent in the statement of the order, or before the nested records are read
 * again. The order of the draft has the records as they will be, except for what only the statement returns, such as ids. No
 * other statement may read or write them before; `sendNestedWrites` sends them early.
 */
export function addNestedWrite<Order extends LockedOrderGraph>(
  draft: OrderDraft<Order>,
  write: NestedWrite<LockedOrderGraph> | null,
): OrderDraft<Order> {
  return write === null ? draft : { ...draft, nested: [...draft.nested, write] };
}

/** Sends the nested writes of a draft, for a step that reads or writes their records. One statement, or none. */
export async function sendNestedWrites(tx: Tx, draft: OrderDraft): Promise<OrderDraft> {
  const { order, nested } = draft;
  if (nested.length === 0) return draft;
  const { returned } = requireRow(await buildNestedWrites(tx, nested));
  return { ...draft, order: applyReturned(order, nested, returned), nested: [] };
}

/**
 * The nested records of an order that a step has written, as they are stored now. Null: unknown, so that they must be
 * read again.
 */
export type WrittenParts = Partial<
  Pick<OrderGraph, 'line_items' | 'payments' | 'shipments' | 'bill_address' | 'ship_address'>
> | null;

/** Adds what a step wrote to what earlier ones did. */
export function joinParts(one: WrittenParts, other: WrittenParts): WrittenParts {
  return one === null || other === null ? null : { ...one, ...other };
}

/**
 * Updates the nested records of a draft: in memory if they are known, else by `reloadDraft`. A new order, whose graph
 * was not loaded, is loaded here with the settings of the shop.
 */
export async function applyParts<Order extends LockedOrderGraph>(
  tx: Tx,
  draft: OrderDraft<Order>,
  parts: WrittenParts,
): Promise<OrderDraft<Order>> {
  const isLoaded = draft.order.revisions !== NO_REVISIONS;
  return parts === null || !isLoaded
    ? reloadDraft(tx, draft)
    : { ...draft, order: { ...draft.order, ...parts } };
}

/** Reloads the nested records of a draft after they were written. One statement, and the deferred ones. */
export async function reloadDraft<Order extends LockedOrderGraph>(
  tx: Tx,
  draft: OrderDraft<Order>,
): Promise<OrderDraft<Order>> {
  const { order, unsaved, nested } = draft;
  const started: Promise<unknown>[] = await startDeferred(tx, draft);
  if (nested.length > 0) {
    started.push((await startStatement(tx, async () => buildNestedWrites(tx, nested))).result);
  }
  const loading = loadOrderGraph(tx, order.id, unsaved);
  await awaitSent([...started, loading]);
  const graph = await loading;
  return {
    ...draft,
    deferred: [],
    nested: [],
    order: { ...order, ...graph, ...unsaved, variants: order.variants },
  };
}

/** Sends the deferred statements of a draft, in order. */
async function startDeferred(
  tx: Tx,
  { deferred }: Pick<OrderDraft, 'deferred'>,
): Promise<ReturnType<DeferredStatement>[]> {
  const started: ReturnType<DeferredStatement>[] = [];
  for (const send of deferred) started.push((await startStatement(tx, send)).result);
  return started;
}

/**
 * Writes the pending changes of a draft with the history of its states and of what changed of a sold order. One
 * statement, or none without changes, and the deferred ones. @returns the updated order
 */
export async function saveDraft(tx: Tx, draft: OrderDraft): Promise<LockedOrderGraph> {
  const started = await startDeferred(tx, draft);
  const update = buildUpdate(tx, draft);
  const saving = update?.send();
  await awaitSent(saving === undefined ? started : [...started, saving]);
  const saved = saving === undefined ? draft.order : addSaved(draft, draft.order, await saving);
  return completeOrder(saved, started);
}

/** Adds to an order what its update returned. */
function addSaved(
  { nested }: OrderDraft,
  order: LockedOrderGraph,
  rows: readonly SavedOrderRow[],
): LockedOrderGraph {
  const row = readOrderRow(rows);
  if (nested.length === 0) return { ...order, ...row };
  const { returned = [], ...columns } = row;
  return applyReturned({ ...order, ...columns }, nested, returned);
}

/** Adds to an order what its deferred statements returned. */
async function completeOrder(
  order: LockedOrderGraph,
  started: readonly ReturnType<DeferredStatement>[],
): Promise<LockedOrderGraph> {
  await awaitSent(started);
  return (await Promise.all(started)).reduce((current, add) => add(current), order);
}

/**
 * Saves a draft as `saveDraft` does, as the last step of a transaction: COMMIT is sent with the statement.
 * @param finish builds the result of the transaction from the updated order, without a statement
 */
export async function saveDraftLast<T>(
  tx: Tx,
  draft: OrderDraft,
  finish: (order: LockedOrderGraph) => T,
): Promise<T | LastStatement<T>> {
  const started = await startDeferred(tx, draft);
  const update = buildUpdate(tx, draft);
  if (update === null) return finish(await completeOrder(draft.order, started));
  let completed = draft.order;
  const completion = completeOrder(draft.order, started).then((order) => {
    completed = order;
  });
  return LastStatement.of(update, (rows) => finish(addSaved(draft, completed, rows)), [completion]);
}

/**
 * Saves a draft before the last statement of a transaction, which `send` sends. COMMIT is sent together with them.
 * @param finish builds the result of the transaction from that of the last statement
 */
export async function saveDraftBefore<Result, T>(
  tx: Tx,
  draft: OrderDraft,
  send: () => Promise<Result>,
  finish: (result: Result) => T,
): Promise<LastStatement<T>> {
  const started: Promise<unknown>[] = await startDeferred(tx, draft);
  const update = buildUpdate(tx, draft);
  if (update !== null) started.push((await startStatement(tx, async () => update)).result);
  return LastStatement.sending(send, finish, started);
}

/** Builds the statement that saves a draft; null without changes. */
function buildUpdate(tx: Tx, { order, unsaved, stateChanges: moves, writes, nested, cause }: OrderDraft) {
  const changes = buildOrderChangesInsert(tx, order, cause);
  const others = changes === null ? writes : [...writes, changes];
  const isChanged = Object.keys(unsaved).length > 0 || moves.length > 0;
  if (!isChanged && others.length === 0 && nested.length === 0) return null;
  return buildOrderUpdate(tx, order, unsaved, { moves, others, nested });
}

/** Columns of an order that are not derived, such as its state, addresses and e-mail. */
export type OrderPatch = Omit<OrderColumns, keyof OrderTotals>;
