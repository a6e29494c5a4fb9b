import type { Tx } from '../../platform/database/transaction';
import type { Cause } from '../order/state-changes.repository';
import type { OrderGraph } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import { listChangedColumns, type OrderColumns } from '../order/orders.repository';
import type { OrderTotals } from '../order/order-totals';
import { saveOrder, type Change } from './save-order';

/** A locked order as it is stored, and its change. The functions here return a new draft; `saveDraft` writes it. */
export interface OrderDraft<Order extends LockedOrderGraph = LockedOrderGraph> extends Change {
  readonly locked: LockedOrderGraph;
  readonly before: LockedOrderGraph;
  readonly order: Order;
}

/** Creates a draft without changes. */
export function createDraft<Order extends LockedOrderGraph>(order: Order): OrderDraft<Order> {
  const nothing = { history: [], units: [], stock: [], commands: [], calls: [], cause: null };
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

/** The nested records that a step has changed. */
export type ChangedParts = Partial<OrderParts>;

/** Changes the nested records of a draft. */
export function applyParts<Order extends LockedOrderGraph>(
  draft: OrderDraft<Order>,
  parts: ChangedParts,
): OrderDraft<Order> {
  return { ...draft, order: { ...draft.order, ...parts } };
}

/** Adds history, moves of units and stock, commands and calls to a draft. */
export function addToDraft<Order extends LockedOrderGraph>(
  draft: OrderDraft<Order>,
  { history = [], units = [], stock = [], commands = [], calls = [] }: Partial<Pick<Change, Additions>>,
): OrderDraft<Order> {
  return {
    ...draft,
    history: [...draft.history, ...history],
    units: [...draft.units, ...units],
    stock: [...draft.stock, ...stock],
    commands: [...draft.commands, ...commands],
    calls: [...draft.calls, ...calls],
  };
}

const ADDITIONS = ['history', 'units', 'stock', 'commands', 'calls'] as const;

type Additions = (typeof ADDITIONS)[number];

/**
 * Saves a draft before its end, for a step that needs its records in the database: statements that refer to new records, or
 * that read units. Nothing waits for it.
 */
export async function storeDraft<Order extends LockedOrderGraph>(
  tx: Tx,
  draft: OrderDraft<Order>,
): Promise<OrderDraft<Order>> {
  const saved = await saveOrder(tx, draft.before, { ...draft, locked: null });
  if (saved === draft.order && ADDITIONS.every((name) => draft[name].length === 0)) return draft;
  // The type of the order says who may change it, which saving does not affect.
  return { ...createDraft({ ...draft.order, ...saved }), cause: draft.cause, locked: draft.locked };
}

/**
 * As `storeDraft`, without the columns of the order: they are written once, when the draft is saved. For drafts that change no
 * address.
 */
export async function storeParts<Order extends LockedOrderGraph>(
  tx: Tx,
  draft: OrderDraft<Order>,
): Promise<OrderDraft<Order>> {
  const columns = listChangedColumns(draft.before, draft.order);
  const parts = { ...draft, before: { ...draft.before, ...columns } };
  const stored = await storeDraft(tx, parts);
  if (stored === parts) return draft;
  return { ...stored, before: { ...stored.before, ...listChangedColumns(stored.before, draft.before) } };
}

/** Sends the changes of a draft; COMMIT confirms them. @returns the updated order */
export async function saveDraft(tx: Tx, draft: OrderDraft): Promise<LockedOrderGraph> {
  return saveOrder(tx, draft.before, draft);
}

/** Columns of an order that are not derived, such as its state, addresses and e-mail. */
export type OrderPatch = Omit<OrderColumns, keyof OrderTotals>;
