import type { Ctx } from '../context';
import { userIdOf } from '../../access/actor';
import type { Tx } from '../../platform/database/transaction';
import { negate, sum, times, toAmount, toDecimal, ZERO } from '../../platform/money';
import { isRefused, orRefuse, type Transition } from '../../platform/state-machine';
import { InvalidResource, TransitionRefused } from '../../platform/errors';
import { insertAdjustments } from '../pricing/adjustments.repository';
import { insertStateChanges, type Cause } from '../order/state-changes.repository';
import { giveBack } from '../fulfilment/give-back';
import { loadOrderGraph } from '../order/order-graph';
import type { LockedOrder } from '../order/order-lock';
import { orderMachine, type OrderEvent, type OrderState } from '../order/order.machine';
import { updateOrder } from '../order-updater/order-updater';
import {
  returnAuthorizationMachine,
  type ReturnAuthorizationEffect,
  type ReturnAuthorizationEvent,
  type ReturnAuthorizationState,
} from '../order/return-authorization.machine';
import {
  deleteReturnAuthorization,
  updateReturnAuthorization,
  type ReturnAuthorizationPatch,
  type ReturnAuthorizationRow,
} from './return-authorizations.repository';
import { goodsComingBack, heldUnits, type LockedReturn } from './return-lock';
import { creditErrors, returnAmount } from './return-rules';
import {
  assignUnits,
  releaseReturnUnits,
  returnUnits,
  tallyUnits,
  type UnitTally,
} from './returned-units.repository';
import { tellOrders } from '../../inventory/backorders';

/** What is asked of a return. */
export type ReturnRequest =
  | { event: 'add'; goods: { variant_id: number; quantity: number } }
  | { event: 'update'; changes: ReturnAuthorizationPatch }
  | { event: 'receive' | 'cancel' | 'delete' };

interface Step extends LockedReturn {
  tx: Tx;
  ctx: Ctx;
  request: ReturnRequest;
}

/**
 * Takes one step of a return, with everything that follows for its units, the stock, and its order (behaviour 11). Expects
 * it locked (`lockReturn`).
 * @returns the return as it is then; of a deleted one, as it was
 * @throws InvalidResource when it can no longer be changed or deleted, or its amount is more than the order costs;
 *   TransitionRefused for the other events
 */
export async function stepReturn(
  tx: Tx,
  ctx: Ctx,
  locked: LockedReturn,
  request: ReturnRequest,
): Promise<ReturnAuthorizationRow> {
  const { order, authorization, units } = locked;
  const { event } = request;
  const held = heldUnits(authorization, units).reduce((all, unit) => all + unit.quantity, 0);
  const { to, then } = decide(authorization.state, event, held);
  const cause: Cause = { user_id: userIdOf(ctx.actor), reason: `return authorization ${event}` };
  for (const effect of then) await effects[effect]({ ...locked, tx, ctx, request });
  if (event === 'delete') {
    await followOrder(tx, order, 'cancel_return', cause);
    return authorization;
  }
  const row = await updateReturnAuthorization(tx, authorization.id, { state: to });
  if (to !== authorization.state) {
    await insertStateChanges(tx, [changeOf(authorization, to, cause)]);
  }
  if (event !== 'update') await followOrder(tx, order, orderEventOf[event], cause);
  return row;
}

function decide(
  state: ReturnAuthorizationState,
  event: ReturnAuthorizationEvent,
  unit_count: number,
): Transition<ReturnAuthorizationState, ReturnAuthorizationEffect, never> {
  const decision = returnAuthorizationMachine.decide(state, event, { unit_count });
  if (!isRefused(decision)) return decision;
  const isChange = event === 'update' || event === 'delete';
  throw isChange ? new InvalidResource(decision.refused) : new TransitionRefused(decision.refused);
}

/** The history of one return's step; from null when it was made. */
export function changeOf(
  authorization: { id: number; order_id: number; state: ReturnAuthorizationState | null },
  to_state: ReturnAuthorizationState,
  cause: Cause,
) {
  const { id, order_id, state } = authorization;
  const subject = { order_id, subject_type: 'return_authorization' as const, subject_id: id };
  return { ...subject, from_state: state, to_state, ...cause };
}

const orderEventOf = {
  add: 'authorize_return',
  receive: 'receive_return',
  cancel: 'cancel_return',
} as const satisfies Record<'add' | 'receive' | 'cancel', OrderEvent>;

/** Brings the order along, by its units as they are now; a return whose last unit was taken off is none to wait for. */
async function followOrder(tx: Tx, order: LockedOrder, event: OrderEvent, cause: Cause): Promise<void> {
  const units = await tallyUnits(tx, order.id);
  const isWaiting = units.some((unit) => unit.return_state === 'authorized');
  const actual = event === 'authorize_return' && !isWaiting ? 'cancel_return' : event;
  await updateOrder(tx, order, cause, { state: nextOrderState(order, actual, units) });
}

function nextOrderState(order: LockedOrder, event: OrderEvent, units: readonly UnitTally[]): OrderState {
  const facts = {
    shipment_state: order.shipment_state,
    has_shipped_units: units.some(({ state }) => state === 'shipped' || state === 'returned'),
    is_approved: order.approved_at !== null,
    every_unit_is_returned: units.every(({ state }) => state === 'returned'),
    open_return_holds_units: units.some((unit) => unit.return_state === 'authorized'),
  };
  return orRefuse(orderMachine.decide(order.state, event, facts)).to;
}

const effects: Record<ReturnAuthorizationEffect, (step: Step) => Promise<void>> = {
  async assign_units({ tx, authorization, units, request }) {
    if (request.event !== 'add') throw new Error(`${request.event} assigns no units`);
    const { variant_id, quantity } = request.goods;
    const available = units
      .filter((unit) => unit.variant_id === variant_id && unit.state === 'shipped')
      .filter(({ return_authorization_id: id }) => id === null || id === authorization.id)
      .reduce((all, unit) => all + unit.quantity, 0);
    if (quantity > available) {
      throw new InvalidResource({ quantity: [`must be less than or equal to ${available}`] });
    }
    await assignUnits(tx, authorization, request.goods);
  },
  async receive_units({ tx, ctx, order, authorization, units }) {
    await returnUnits(tx, authorization.id);
    await giveBack(tx, order, goodsComingBack(authorization, units), tellOrders(ctx, tx));
  },
  async credit_order({ tx, order, authorization, units }) {
    const amount = await worthOf(tx, order, authorization, units);
    if (amount === ZERO) return;
    await insertAdjustments(tx, [
      {
        order_id: order.id,
        line_item_id: null,
        shipment_id: null,
        source_type: 'Store::ReturnAuthorization',
        source_id: authorization.id,
        amount: toDecimal(negate(amount)),
        label: 'RMA Credit',
        mandatory: true,
        closed: true,
      },
    ]);
  },
  async release_units({ tx, authorization }) {
    await releaseReturnUnits(tx, authorization.id);
  },
  async store_attributes({ tx, authorization, request }) {
    if (request.event !== 'update') throw new Error(`${request.event} stores no attributes`);
    await updateReturnAuthorization(tx, authorization.id, request.changes);
  },
  async delete_row({ tx, authorization }) {
    await deleteReturnAuthorization(tx, authorization.id);
  },
};

/** `units` as they were before they came back. @throws InvalidResource `amount` when the order does not cost that much */
async function worthOf(
  tx: Tx,
  order: LockedOrder,
  authorization: ReturnAuthorizationRow,
  units: readonly UnitTally[],
) {
  const { line_items } = await loadOrderGraph(tx, order.id);
  const coming = heldUnits(authorization, units);
  const count = (lineId: number, tallies: readonly UnitTally[]): number =>
    tallies.filter((unit) => unit.line_item_id === lineId).reduce((all, unit) => all + unit.quantity, 0);
  const lines = line_items.map((line) => ({
    total: sum(times(toAmount(line.price), line.quantity), toAmount(line.adjustment_total)),
    quantity: line.quantity,
    returned_before: count(
      line.id,
      units.filter((unit) => unit.return_state === 'received'),
    ),
    returning: count(line.id, coming),
  }));
  const credited = { total: toAmount(order.total), currency: order.currency };
  const amount = toAmount(authorization.amount);
  const errors = creditErrors(amount, credited);
  if (errors !== null) throw new InvalidResource(errors);
  return returnAmount(amount, lines, credited);
}
