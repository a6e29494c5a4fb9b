import type { Actor } from '../../access/actor';
import type { OnBackordersFilled } from '../../inventory/backorders';
import { findUserId } from '../../access/actor';
import type { Tx } from '../../platform/database/transaction';
import { InvalidResource } from '../../platform/errors';
import type { Cause } from '../order/state-changes.repository';
import { addUnitCounts, negateUnits } from '../fulfilment/counted-units';
import type { UnitMove } from '../order/unit-moves.repository';
import { restockUnits } from '../fulfilment/restock-units';
import type { LockedOrder } from '../order/order-lock';
import { saveRecalculated } from '../order-updater/order-updater';
import { perform, throwIfRefused } from '../../platform/perform';
import type { PerformerOf } from '../../platform/perform';
import { orderReturnsMachine } from '../order/order-returns.machine';
import type { OrderReturnEvent } from '../order/order-returns.machine';
import { performOnUnitsOf } from '../fulfilment/unit-states';
import {
  addToDraft,
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
import { creditReturn } from './credit-return';
import type { RequestedItem } from './return-requests.repository';
import { deleteReturnItems, setReturnItem } from './return-items.repository';
import { buildAssignment, buildRelease, countShippedUnits, tallyUnits } from './returned-units.repository';
import type { UnitTally } from './returned-units.repository';

/** An event of a return, with its input. */
export type ReturnRequest =
  | { event: 'add'; items: { variant_id: number; quantity: number; restock: boolean } }
  | { event: 'update'; changes: ReturnAuthorizationPatch }
  | { event: 'approve'; items: readonly RequestedItem[] }
  | { event: 'decline'; changes: ReturnAuthorizationPatch }
  | { event: 'receive' | 'cancel' | 'delete' };

interface Step extends LockedReturn {
  tx: Tx;
  editor: ReturnEditor;
  cause: Cause;
  request: ReturnRequest;
  /** The order after the effects. */
  draft: OrderDraft;
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
  const step = { ...locked, tx, editor, cause, request, draft: createDraft(locked.order) };
  const ending = await perform(performer, event, step);
  const isChange = event === 'update' || event === 'delete';
  if (ending.ended === 'refused' && isChange) throw new InvalidResource(ending.errors);
  const performed = throwIfRefused(ending);
  if (event !== 'update' && event !== 'decline') {
    await performOnOrder(tx, step.draft, { event: orderEventOf[event], cause });
  }
  return performed.ended === 'unchanged' ? locked.authorization : performed.written;
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
  const ending = throwIfRefused(await perform(orderPerformer, actual, { order, units }));
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
  write: (_step, { to }) => Promise.resolve(to === null ? {} : { state: to }),
};

/** Puts shipped units of a variant on a return. @throws InvalidResource if there are not as many on no other return */
async function assignItems(
  step: Step,
  { variant_id, quantity, restock }: { variant_id: number; quantity: number; restock: boolean },
): Promise<void> {
  const { tx, authorization, units } = step;
  const own = units
    .filter((unit) => unit.variant_id === variant_id && unit.state === 'shipped')
    .filter(({ return_authorization_id: id }) => id === null || id === authorization.id);
  const available = own.reduce((all, unit) => all + unit.quantity, 0);
  if (quantity > available) {
    throw new InvalidResource({ quantity: [`must be less than or equal to ${available}`] });
  }
  await storeMove(step, [buildAssignment(authorization, { variant_id, quantity })]);
  const line_item_id = own.find((unit) => unit.line_item_id !== null)?.line_item_id ?? null;
  if (line_item_id !== null) await setReturnItem(tx, authorization, { line_item_id, quantity, restock });
}

/** Stores a move of units: what is on a return changes its order, too. */
async function storeMove(step: Step, units: readonly UnitMove[]): Promise<void> {
  step.draft = await storeParts(step.tx, addToDraft(step.draft, { units }));
}

/** Adds up what is requested of each variant. */
function sumByVariant(items: readonly RequestedItem[]): { variant_id: number; quantity: number }[] {
  const sums = new Map<number, number>();
  for (const { variant_id, quantity } of items) {
    sums.set(variant_id, (sums.get(variant_id) ?? 0) + quantity);
  }
  return [...sums].map(([variant_id, quantity]) => ({ variant_id, quantity }));
}

const effects: Record<ReturnAuthorizationEffect, (step: Step) => Promise<void>> = {
  async assign_requested_units(step) {
    const { request } = step;
    if (request.event !== 'approve') throw new Error(`${request.event} approves nothing`);
    for (const { variant_id, quantity } of sumByVariant(request.items)) {
      await assignItems(step, { variant_id, quantity, restock: true });
    }
  },
  async assign_units(step) {
    const { request } = step;
    if (request.event !== 'add') throw new Error(`${request.event} assigns no units`);
    await assignItems(step, request.items);
  },
  async receive_units(step) {
    const { tx, editor, order, authorization, units, items } = step;
    const owner = { return_authorization_id: authorization.id };
    const held = await countShippedUnits(tx, authorization);
    const returned = listReturnRestock(authorization, units, items);
    const changes = held.flatMap((unit) => [negateUnits(unit), { ...unit, state: 'returned' as const }]);
    const { draft } = step;
    step.draft = { ...draft, order: { ...draft.order, shipments: addUnitCounts(draft.order, changes) } };
    await storeMove(step, await performOnUnitsOf(order, owner, { event: 'return', from: 'shipped' }));
    step.draft = await restockUnits(tx, step.draft, returned, editor.onBackordersFilled);
  },
  async credit_order(step) {
    step.draft = await creditReturn(step.tx, step.draft, step);
  },
  async release_units(step) {
    const { tx, authorization } = step;
    await storeMove(step, [buildRelease(authorization)]);
    await deleteReturnItems(tx, authorization);
  },
  async store_attributes({ tx, authorization, request }) {
    if (!('changes' in request)) throw new Error(`${request.event} stores no attributes`);
    await updateReturnAuthorization(tx, authorization, request.changes);
  },
  async delete_row({ tx, authorization }) {
    await deleteReturnAuthorization(tx, authorization);
  },
};

const performer: PerformerOf<typeof returnAuthorizationMachine, Step, ReturnAuthorizationRow> = {
  machine: returnAuthorizationMachine,
  read: ({ authorization, units }) => ({
    state: authorization.state,
    facts: { unit_count: listHeldUnits(authorization, units).reduce((all, unit) => all + unit.quantity, 0) },
  }),
  effects,
  async write({ tx, authorization, request, cause }, { to }) {
    if (request.event === 'delete') return authorization;
    if (to === null) return updateReturnAuthorization(tx, authorization, {});
    return updateReturnState(tx, authorization, buildStateChange(authorization, to, cause));
  },
};
