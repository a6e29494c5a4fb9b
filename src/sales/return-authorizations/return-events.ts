import type { Actor } from '../../access/actor';
import type { OnBackordersFilled } from '../../inventory/backorders';
import { findUserId } from '../../access/actor';
import type { Tx } from '../../platform/database/transaction';
import { negate, sum, multiply, toAmount, toDecimal, ZERO } from '../../platform/money';
import { InvalidResource } from '../../platform/errors';
import { insertAdjustments } from '../pricing/adjustments.repository';
import type { Cause } from '../order/state-changes.repository';
import { restockUnits } from '../fulfilment/restock-units';
import { loadOrderGraph, type LineItemRow } from '../order/order-graph';
import type { LockedOrder } from '../order/order-lock';
import { updateOrder } from '../order-updater/order-updater';
import { perform, throwIfRefused } from '../../platform/perform';
import type { PerformerOf } from '../../platform/perform';
import { orderReturnsMachine } from '../order/order-returns.machine';
import type { OrderReturnEvent } from '../order/order-returns.machine';
import { performOnUnitsOf } from '../fulfilment/unit-states';
import type { OrderPatch } from '../order-updater/order-draft';
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
import {
  calculateCredit,
  calculateReturnedValue,
  findCreditErrors,
  type ReturnedLine,
  type ReturnedValue,
} from './return-rules';
import {
  deleteReturnItems,
  setReturnItem,
  storeReturnValues,
  type ReturnItemRow,
} from './return-items.repository';
import { assignUnits, releaseReturnUnits, tallyUnits } from './returned-units.repository';
import type { UnitTally } from './returned-units.repository';

/** An event of a return, with its input. */
export type ReturnRequest =
  | { event: 'add'; items: { variant_id: number; quantity: number; restock: boolean } }
  | { event: 'update'; changes: ReturnAuthorizationPatch }
  | { event: 'receive' | 'cancel' | 'delete' };

interface Step extends LockedReturn {
  tx: Tx;
  editor: ReturnEditor;
  cause: Cause;
  request: ReturnRequest;
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
  const ending = await perform(performer, event, { ...locked, tx, editor, cause, request });
  const isChange = event === 'update' || event === 'delete';
  if (ending.ended === 'refused' && isChange) throw new InvalidResource(ending.errors);
  const performed = throwIfRefused(ending);
  if (event !== 'update') await performOnOrder(tx, locked.order, { event: orderEventOf[event], cause });
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
  add: 'authorize_return',
  receive: 'receive_return',
  cancel: 'cancel_return',
  delete: 'cancel_return',
} as const satisfies Record<Exclude<ReturnRequest['event'], 'update'>, OrderReturnEvent>;

/** Performs the order's event. An order without units on authorized returns is no longer `awaiting_return`. */
async function performOnOrder(
  tx: Tx,
  order: LockedOrder,
  { event, cause }: { event: OrderReturnEvent; cause: Cause },
): Promise<void> {
  const units = await tallyUnits(tx, order.id);
  const isWaiting = units.some((unit) => unit.return_state === 'authorized');
  const actual = event === 'authorize_return' && !isWaiting ? 'cancel_return' : event;
  const ending = throwIfRefused(await perform(orderPerformer, actual, { order, units }));
  await updateOrder(tx, order, cause, ending.ended === 'unchanged' ? {} : ending.written);
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
  // `updateOrder` writes the state and its history.
  write: (_step, { to }) => Promise.resolve(to === null ? {} : { state: to }),
};

const effects: Record<ReturnAuthorizationEffect, (step: Step) => Promise<void>> = {
  async assign_units({ tx, authorization, units, request }) {
    if (request.event !== 'add') throw new Error(`${request.event} assigns no units`);
    const { variant_id, quantity, restock } = request.items;
    const own = units
      .filter((unit) => unit.variant_id === variant_id && unit.state === 'shipped')
      .filter(({ return_authorization_id: id }) => id === null || id === authorization.id);
    const available = own.reduce((all, unit) => all + unit.quantity, 0);
    if (quantity > available) {
      throw new InvalidResource({ quantity: [`must be less than or equal to ${available}`] });
    }
    await assignUnits(tx, authorization, { variant_id, quantity });
    const line_item_id = own.find((unit) => unit.line_item_id !== null)?.line_item_id ?? null;
    if (line_item_id !== null) await setReturnItem(tx, authorization, { line_item_id, quantity, restock });
  },
  async receive_units({ tx, editor, order, authorization, units, items }) {
    const owner = { return_authorization_id: authorization.id };
    await performOnUnitsOf(tx, order, owner, { event: 'return', from: 'shipped' });
    const returned = listReturnRestock(authorization, units, items);
    await restockUnits(tx, order, returned, editor.onBackordersFilled);
  },
  async credit_order(step) {
    const { tx, order, authorization } = step;
    const given = authorization.amount_is_explicit ? toAmount(authorization.amount) : null;
    const credited = { total: toAmount(order.total), currency: order.currency };
    const errors = given === null ? null : findCreditErrors(given, credited);
    if (errors !== null) throw new InvalidResource(errors);
    const credit = calculateCredit(given, await storeValues(tx, step), credited);
    await updateReturnAuthorization(tx, authorization, { amount: toDecimal(credit.amount) });
    if (credit.amount === ZERO) return;
    await insertAdjustments(tx, order, [
      {
        line_item_id: null,
        shipment_id: null,
        source_type: 'Store::ReturnAuthorization',
        source_id: authorization.id,
        amount: toDecimal(negate(credit.amount)),
        included_tax: toDecimal(credit.included_tax),
        additional_tax: toDecimal(credit.additional_tax),
        label: 'RMA Credit',
        mandatory: true,
        closed: true,
      },
    ]);
  },
  async release_units({ tx, authorization }) {
    await releaseReturnUnits(tx, authorization);
    await deleteReturnItems(tx, authorization);
  },
  async store_attributes({ tx, authorization, request }) {
    if (request.event !== 'update') throw new Error(`${request.event} stores no attributes`);
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

/** A line item of the order with its units on this return and on earlier ones. */
function buildReturnedLine(
  line: LineItemRow,
  returning: number,
  items: readonly ReturnItemRow[],
): ReturnedLine {
  return {
    price: toAmount(line.price),
    quantity: line.quantity,
    totals: {
      amount: sum(multiply(toAmount(line.price), line.quantity), toAmount(line.adjustment_total)),
      included_tax: toAmount(line.included_tax_total),
      additional_tax: toAmount(line.additional_tax_total),
    },
    earlier: items
      .filter(({ line_item_id, amount }) => line_item_id === line.id && amount !== null)
      .map(({ quantity, ...item }) => ({
        quantity,
        price: toAmount(item.price ?? '0'),
        amount: toAmount(item.amount ?? '0'),
        included_tax: toAmount(item.included_tax ?? '0'),
        additional_tax: toAmount(item.additional_tax ?? '0'),
      })),
    returning,
  };
}

/** Stores what the units of a return are worth. @returns the values */
async function storeValues(tx: Tx, { order, authorization, items }: LockedReturn): Promise<ReturnedValue[]> {
  const { line_items } = await loadOrderGraph(tx, order.id);
  const valued = items.flatMap(({ id, return_authorization_id, line_item_id, quantity }) => {
    const line = line_items.find((one) => one.id === line_item_id);
    if (return_authorization_id !== authorization.id || line === undefined) return [];
    const value = calculateReturnedValue(buildReturnedLine(line, quantity, items), order.currency);
    return [{ id, price: line.price, value }];
  });
  await storeReturnValues(
    tx,
    authorization,
    valued.map(({ id, price, value }) => ({
      id,
      price,
      amount: toDecimal(value.amount),
      included_tax: toDecimal(value.included_tax),
      additional_tax: toDecimal(value.additional_tax),
    })),
  );
  return valued.map(({ value }) => value);
}
