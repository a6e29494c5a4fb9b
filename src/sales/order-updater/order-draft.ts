import { NO_REVISIONS } from '../../geography/reference-revisions.repository';
import type { Tx } from '../../platform/database/transaction';
import type { Cause } from '../order/state-changes.repository';
import { loadOrderGraph } from '../order/load-order-graph';
import type { OrderGraph } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import { listChangedColumns, type OrderColumns } from '../order/orders.repository';
import type { OrderTotals } from '../order/order-totals';
import { saveOrder, type Change } from './save-order';

/** A locked order as it is stored, and its change. The functions here return a new draft; `saveDraft` writes it. */
export interface OrderDraft<Order extends LockedOrderGraph = LockedOrderGraph> extends Change {
  readonly before: LockedOrderGraph;
  readonly order: Order;
}

/** Creates a draft without changes. */
export function createDraft<Order extends LockedOrderGraph>(order: Order): OrderDraft<Order> {
  const nothing = { history: [], commands: [], calls: [], cause: null, isTouched: false };
  return { locked: order, before: order, order, ...nothing };
}

/** Changes columns of a draft and adds a state change to its history. */
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
    cause,
    history:
      state === order.state
        ? draft.history
        : [...draft.history, { ...move, from_state: order.state, to_state: state }],
  };
}

/** The nested records of an order. */
export type OrderParts = Pick<
  OrderGraph,
  'line_items' | 'adjustments' | 'payments' | 'shipments' | 'promotions' | 'bill_address' | 'ship_address'
>;

/** The nested records that a step has changed. Null: the step has written them itself, so they must be read again. */
export type ChangedParts = Partial<OrderParts> | null;

/** Adds what a step changed to what earlier ones did. */
export function joinParts(one: ChangedParts, other: ChangedParts): ChangedParts {
  return one === null || other === null ? null : { ...one, ...other };
}

/** Changes the nested records of a draft. A new order, whose graph and settings were not loaded, is loaded here. */
export async function applyParts<Order extends LockedOrderGraph>(
  tx: Tx,
  draft: OrderDraft<Order>,
  parts: ChangedParts,
): Promise<OrderDraft<Order>> {
  if (parts === null) return reloadDraft(tx, draft);
  const changed = { ...draft, order: { ...draft.order, ...parts } };
  return draft.order.revisions === NO_REVISIONS ? reloadDraft(tx, changed) : changed;
}

/** Adds history, commands and calls to a draft. */
export function addToDraft<Order extends LockedOrderGraph>(
  draft: OrderDraft<Order>,
  { history = [], commands = [], calls = [] }: Partial<Pick<Change, 'history' | 'commands' | 'calls'>>,
): OrderDraft<Order> {
  return {
    ...draft,
    history: [...draft.history, ...history],
    commands: [...draft.commands, ...commands],
    calls: [...draft.calls, ...calls],
  };
}

/**
 * Loads the nested records of a draft, after other statements have written some of them. Sends changes of them first.
 */
export async function reloadDraft<Order extends LockedOrderGraph>(
  tx: Tx,
  draft: OrderDraft<Order>,
): Promise<OrderDraft<Order>> {
  const { before, order, ...others } = hasChangedParts(draft) ? await storeDraft(tx, draft) : draft;
  const unsaved = listChangedColumns(before, order);
  const graph = await loadOrderGraph(tx, order.id, unsaved);
  return {
    ...others,
    before: { ...before, ...graph },
    // The type of the order says who may change it, which loading does not affect.
    order: { ...(order as Order), ...graph, ...unsaved, variants: order.variants },
    isTouched: true,
  };
}

function hasChangedParts({ before, order }: OrderDraft): boolean {
  return PARTS.some((part) => before[part] !== order[part]);
}

const PARTS = [
  ...(['line_items', 'adjustments', 'payments', 'shipments', 'promotions'] as const),
  ...(['bill_address', 'ship_address'] as const),
] satisfies (keyof OrderParts)[];

/** Saves a draft before its end, for a step that needs its records in the database. */
export async function storeDraft(tx: Tx, draft: OrderDraft): Promise<OrderDraft> {
  const saved = await saveDraft(tx, draft);
  // What the transaction completes or imports has no history of changes.
  const locked = draft.locked.completed_at === null ? draft.locked : saved;
  return { ...createDraft(saved), cause: draft.cause, locked };
}

/** Sends the changes of a draft; COMMIT confirms them. @returns the updated order */
export async function saveDraft(tx: Tx, draft: OrderDraft): Promise<LockedOrderGraph> {
  return saveOrder(tx, draft.before, draft);
}

/** Columns of an order that are not derived, such as its state, addresses and e-mail. */
export type OrderPatch = Omit<OrderColumns, keyof OrderTotals>;
