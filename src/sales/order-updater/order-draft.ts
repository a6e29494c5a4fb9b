import type { Tx } from '../../platform/database/transaction';
import type { StateChange, Cause } from '../order/state-changes.repository';
import { loadOrderGraph } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import { updateOrderRow } from '../order/orders.repository';
import type { OrderColumns } from '../order/orders.repository';
import type { OrderTotals } from '../order/order-totals';

/**
 * An order in the hands of a use case: as it is going to be, and what of that is not written yet. The functions here
 * and in recalculate-order.ts make one from another; `saveDraft` ends it.
 */
export interface OrderDraft {
  readonly order: LockedOrderGraph;
  /** Columns of the order itself. */
  readonly unsaved: OrderColumns;
  /** The history of it. */
  readonly stateChanges: readonly StateChange[];
}

/** Nothing is changed yet. */
export function createDraft(order: LockedOrderGraph): OrderDraft {
  return { order, unsaved: {}, stateChanges: [] };
}

/** With these columns changed. Addresses follow with `reloadDraft`. */
export function patchDraft(draft: OrderDraft, patch: OrderPatch, cause: Cause): OrderDraft {
  const { order } = draft;
  const state = patch.state ?? order.state;
  const move = { order_id: order.id, subject_type: 'order', subject_id: order.id, ...cause } as const;
  return {
    order: { ...order, ...patch },
    unsaved: { ...draft.unsaved, ...patch },
    stateChanges:
      state === order.state
        ? draft.stateChanges
        : [...draft.stateChanges, { ...move, from_state: order.state, to_state: state }],
  };
}

/** With its parts as the tables have them now: after they were written to. One statement. */
export async function reloadDraft(tx: Tx, draft: OrderDraft): Promise<OrderDraft> {
  const { order, unsaved } = draft;
  const graph = await loadOrderGraph(tx, order.id, unsaved);
  return { ...draft, order: { ...order, ...graph, ...unsaved } };
}

/** Writes what is not written yet, in one statement, in none when there is nothing. @returns the order as it is now */
export async function saveDraft(tx: Tx, { order, unsaved, stateChanges: moves }: OrderDraft): Promise<LockedOrderGraph> {
  if (Object.keys(unsaved).length === 0 && moves.length === 0) return order;
  return { ...order, ...(await updateOrderRow(tx, order.id, unsaved, moves)) };
}

/** Columns of the order itself that change along: its state, addresses, e-mail. */
export type OrderPatch = Omit<OrderColumns, keyof OrderTotals>;
