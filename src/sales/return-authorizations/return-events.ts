import type { Actor } from '../../access/actor';
import type { OnBackordersFilled } from '../../inventory/backorders';
import { findUserId } from '../../access/actor';
import type { Tx } from '../../platform/database/transaction';
import { InvalidResource } from '../../platform/errors';
import type { Cause } from '../order/state-changes.repository';
import { addUnitCounts, negateUnits } from '../fulfilment/counted-units';
import { restockUnits } from '../fulfilment/restock-units';
import type { PlacedChange } from '../../inventory/stock-ledger';
import type { AdjustmentRow, UnitCount } from '../order/order-graph';
import type { LockedOrder } from '../order/order-lock';
import { saveRecalculated } from '../order-updater/order-updater';
import { perform, throwIfRefused, type Decided, type PerformerOf } from '../../platform/perform';
import { sumByVariant, sumQuantities } from '../../platform/quantities';
import { orderReturnsMachine } from '../order/order-returns.machine';
import type { OrderReturnEvent } from '../order/order-returns.machine';
import { performOnUnitsOf } from '../fulfilment/unit-states';
import {
  addToDraft,
  applyParts,
  createDraft,
  patchDraft,
  storeParts,
  type OrderDraft,
  type OrderPatch,
} from '../order-updater/order-draft';
import {
  returnAuthorizationMachine,
  type ReturnAuthorizationEffect,
  type ReturnAuthorizationState,
} from '../order/return-authorization.machine';
import {
  deleteReturnAuthorization,
  updateReturnAuthorization,
  updateReturnState,
  type ReturnAuthorizationPatch,
  type ReturnAuthorizationRow,
} from './return-authorizations.repository';
import { listReturnRestock, listHeldUnits, type LockedReturn } from './return-lock';
import { creditReturn, loadFreightFacts, type ReturnFreightFacts } from './credit-return';
import type { RequestedItem } from './return-requests.repository';
import { buildItemsDeletion, buildReturnItem } from './return-items.repository';
import { buildAssignment, buildRelease, countShippedUnits, tallyUnits } from './returned-units.repository';
import type { UnitTally } from './returned-units.repository';

/** An event of a return, with its input. */
export type ReturnRequest =
  | { event: 'add'; items: { variant_id: number; quantity: number; restock: boolean } }
  | { event: 'update'; changes: ReturnAuthorizationPatch }
  | { event: 'approve'; items: readonly RequestedItem[] }
  | { event: 'decline'; changes: ReturnAuthorizationPatch }
  | { event: 'receive' | 'cancel' | 'delete' };

/** What receiving a return depends on besides. */
interface ReceiptFacts {
  /** Its units. */
  held: readonly UnitCount[];
  freights: ReturnFreightFacts | null;
}

/** What an event changes. */
interface ReturnMove {
  /** The order with its moved units, and statements for other tables. */
  draft: OrderDraft;
  /** Units to restock once the others are stored. */
  returned: readonly PlacedChange[];
  /** What the return credits the order. */
  credit: AdjustmentRow | null;
  patch: ReturnAuthorizationPatch;
  isDeleted: boolean;
}

interface Step extends LockedReturn, ReturnMove {
  request: ReturnRequest;
  /** Null for other events. */
  receipt: ReceiptFacts | null;
}

/** The part of `Editor` that performs events on returns. */
interface ReturnEditor {
  actor: Actor;
  onBackordersFilled: OnBackordersFilled;
}

/**
 * Performs an event on a return and updates its units, the stock and its order.
 * @returns the updated return; a deleted one as it was before
 * @throws InvalidResource if it can no longer be updated or deleted, or its amount exceeds the order total;
 *   TransitionRefused if another event is refused
 */
export async function performOnReturn(
  tx: Tx,
  editor: ReturnEditor,
  locked: LockedReturn,
  request: ReturnRequest,
): Promise<ReturnAuthorizationRow> {
  const { event } = request;
  const cause = { user_id: findUserId(editor.actor), reason: `return authorization ${event}` };
  const unchanged = {
    draft: createDraft(locked.order),
    returned: [],
    credit: null,
    patch: {},
    isDeleted: false,
  };
  const receipt = event === 'receive' ? await loadReceipt(tx, locked) : null;
  const ending = perform(performer, event, { ...locked, ...unchanged, request, receipt });
  const isChange = event === 'update' || event === 'delete';
  if (ending.ended === 'refused' && isChange) throw new InvalidResource(ending.errors);
  const performed = throwIfRefused(ending);
  if (performed.ended === 'unchanged') return locked.authorization;
  const { written } = performed;
  const draft = await storeMove(tx, written, editor.onBackordersFilled);
  const stored = await storeReturn(tx, locked.authorization, { ...written, cause });
  if (event !== 'update' && event !== 'decline') {
    await performOnOrder(tx, draft, { event: orderEventOf[event], cause });
  }
  return stored;
}

async function loadReceipt(tx: Tx, locked: LockedReturn): Promise<ReceiptFacts> {
  const held = await countShippedUnits(tx, locked.authorization);
  return { held, freights: await loadFreightFacts(tx, locked) };
}

/** Stores the units of the order as they have moved, and restocks. What is on a return changes its order, too. */
async function storeMove(
  tx: Tx,
  { draft, returned, credit }: ReturnMove,
  onBackordersFilled: OnBackordersFilled,
): Promise<OrderDraft> {
  const stored = await storeParts(tx, draft);
  const restocked =
    returned.length === 0 ? stored : await restockUnits(tx, stored, returned, onBackordersFilled);
  const { adjustments } = restocked.order;
  return credit === null ? restocked : applyParts(restocked, { adjustments: [...adjustments, credit] });
}

/** @returns the updated return; a deleted one as it was before */
async function storeReturn(
  tx: Tx,
  authorization: LockedReturn['authorization'],
  { patch, isDeleted, to, cause }: StoredMove & { cause: Cause },
): Promise<ReturnAuthorizationRow> {
  if (isDeleted) {
    await deleteReturnAuthorization(tx, authorization);
    return authorization;
  }
  const isPatched = to === null || Object.keys(patch).length > 0;
  const row = isPatched ? await updateReturnAuthorization(tx, authorization, patch) : authorization;
  return to === null ? row : updateReturnState(tx, authorization, buildStateChange(authorization, to, cause));
}

/** Builds the state change of a return. `state` is null for a new one. */
export function buildStateChange<State extends ReturnAuthorizationState>(
  authorization: { id: number; order_id: number; state: ReturnAuthorizationState | null },
  to_state: State,
  cause: Cause,
) {
  const { id, order_id, state } = authorization;
  const subject = { order_id, subject_type: 'return_authorization' as const, subject_id: id };
  return { ...subject, from_state: state, to_state, ...cause };
}

const orderEventOf = {
  approve: 'authorize_return',
  add: 'authorize_return',
  receive: 'receive_return',
  cancel: 'cancel_return',
  delete: 'cancel_return',
} as const satisfies Record<Exclude<ReturnRequest['event'], 'update' | 'decline'>, OrderReturnEvent>;

/** Performs the order's event. An order without units on authorized returns is no longer `awaiting_return`. */
async function performOnOrder(
  tx: Tx,
  draft: OrderDraft,
  { event, cause }: { event: OrderReturnEvent; cause: Cause },
): Promise<void> {
  const { order } = draft;
  const units = await tallyUnits(tx, order.id);
  const isWaiting = units.some((unit) => unit.return_state === 'authorized');
  const actual = event === 'authorize_return' && !isWaiting ? 'cancel_return' : event;
  const ending = throwIfRefused(perform(orderPerformer, actual, { order, units }));
  const patch = ending.ended === 'unchanged' ? {} : ending.written;
  await saveRecalculated(tx, patchDraft(draft, patch, cause), cause);
}

const orderPerformer: PerformerOf<
  typeof orderReturnsMachine,
  { order: LockedOrder; units: readonly UnitTally[] },
  OrderPatch
> = {
  machine: orderReturnsMachine,
  read: ({ order, units }) => ({
    state: order.state,
    facts: {
      every_unit_is_returned: units.every(({ state }) => state === 'returned'),
      another_return_has_units: units.some((unit) => unit.return_state === 'authorized'),
    },
  }),
  effects: {},
  // Saving the draft writes the state and its history.
  write: (_step, { to }) => (to === null ? {} : { state: to }),
};

/** Puts shipped units of a variant on a return. @throws InvalidResource if there are not as many on no other return */
function assignItems(
  step: Step,
  { variant_id, quantity, restock }: { variant_id: number; quantity: number; restock: boolean },
): void {
  const { authorization, units } = step;
  const own = units
    .filter((unit) => unit.variant_id === variant_id && unit.state === 'shipped')
    .filter(({ return_authorization_id: id }) => id === null || id === authorization.id);
  const available = sumQuantities(own);
  if (quantity > available) {
    throw new InvalidResource({ quantity: [`must be less than or equal to ${available}`] });
  }
  const line_item_id = own.find((unit) => unit.line_item_id !== null)?.line_item_id ?? null;
  step.draft = addToDraft(step.draft, {
    units: [buildAssignment(authorization, { variant_id, quantity })],
    commands:
      line_item_id === null ? [] : [buildReturnItem(authorization, { line_item_id, quantity, restock })],
  });
}

const effects: Record<ReturnAuthorizationEffect, (step: Step) => void> = {
  assign_requested_units(step) {
    const { request } = step;
    if (request.event !== 'approve') throw new Error(`${request.event} approves nothing`);
    for (const { variant_id, quantity } of sumByVariant(request.items)) {
      assignItems(step, { variant_id, quantity, restock: true });
    }
  },
  assign_units(step) {
    const { request } = step;
    if (request.event !== 'add') throw new Error(`${request.event} assigns no units`);
    assignItems(step, request.items);
  },
  receive_units(step) {
    const { order, authorization, units, items, draft } = step;
    const owner = { return_authorization_id: authorization.id };
    const changes = getReceipt(step).held.flatMap((unit) => [
      negateUnits(unit),
      { ...unit, state: 'returned' as const },
    ]);
    const moved = applyParts(draft, { shipments: addUnitCounts(draft.order, changes) });
    const moves = performOnUnitsOf(order, owner, { event: 'return', from: 'shipped' });
    step.draft = addToDraft(moved, { units: moves });
    step.returned = listReturnRestock(authorization, units, items);
  },
  credit_order(step) {
    const { amount, adjustment, commands } = creditReturn(step, getReceipt(step).freights);
    step.patch = { amount };
    step.credit = adjustment;
    step.draft = addToDraft(step.draft, { commands });
  },
  release_units(step) {
    const { authorization, draft } = step;
    const commands = [buildItemsDeletion(authorization)];
    step.draft = addToDraft(draft, { units: [buildRelease(authorization)], commands });
  },
  store_attributes(step) {
    const { request } = step;
    if (!('changes' in request)) throw new Error(`${request.event} stores no attributes`);
    step.patch = request.changes;
  },
  delete_row(step) {
    step.isDeleted = true;
  },
};

function getReceipt({ receipt, request }: Step): ReceiptFacts {
  if (receipt === null) throw new Error(`${request.event} receives nothing`);
  return receipt;
}

/** What is stored of a return and its order; `to` is null if its state stays. */
type StoredMove = ReturnMove & { to: Decided<ReturnAuthorizationState> | null };

const performer: PerformerOf<typeof returnAuthorizationMachine, Step, StoredMove> = {
  machine: returnAuthorizationMachine,
  read: ({ authorization, units }) => ({
    state: authorization.state,
    facts: { unit_count: sumQuantities(listHeldUnits(authorization, units)) },
  }),
  effects,
  write: (step, { to }) => ({ ...step, to }),
};
