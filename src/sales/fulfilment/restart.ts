import type { Tx } from '../../platform/database/transaction';
import type { OrderPatch } from '../order-updater/order-draft';
import { perform } from '../../platform/perform';
import type { Ending, PerformerOf } from '../../platform/perform';
import type { LockedOrderGraph } from '../order/order-lock';
import { restartMachine, type RestartEvent } from '../order/restart.machine';
import { deleteShipmentsOfOrder } from './proposed-shipments.repository';

interface Restart {
  tx: Tx;
  order: LockedOrderGraph;
  hasLineItems: boolean;
}

const performer: PerformerOf<typeof restartMachine, Restart, OrderPatch> = {
  machine: restartMachine,
  read: ({ order, hasLineItems }) => ({
    state: order.state,
    facts: { has_shipments: order.shipments.length > 0, has_line_items: hasLineItems },
  }),
  effects: { delete_shipments: ({ tx, order }) => deleteShipmentsOfOrder(tx, order) },
  // The order draft writes the state and its history.
  write: (_restart, { to }) => Promise.resolve(to === null ? {} : { state: to }),
};

/**
 * Restarts the checkout after line items or the ship address changed, because the proposed shipments are no longer valid
 *. Deletes them and returns the order to `address`, or to `cart` without line items. Payments and
 * addresses stay. Does nothing if the order has no shipments or is complete.
 * @returns the columns to change with `patchDraft`
 */
export async function restartCheckout(
  tx: Tx,
  order: LockedOrderGraph,
  hasLineItems: boolean,
): Promise<OrderPatch> {
  return readPatch(await perform(performer, 'restart', { tx, order, hasLineItems }));
}

/**
 * Returns an order in checkout to an earlier step.
 * @returns the columns to change with `patchDraft`; none if the step is the current or a later one, or the order is
 *   complete
 */
export async function stepBack(
  tx: Tx,
  order: LockedOrderGraph,
  event: Exclude<RestartEvent, 'restart'>,
): Promise<OrderPatch> {
  return readPatch(await perform(performer, event, { tx, order, hasLineItems: true }));
}

function readPatch(ending: Ending<never, OrderPatch>): OrderPatch {
  return ending.ended === 'moved' ? ending.written : {};
}
