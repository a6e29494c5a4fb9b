import type { Tx } from '../../platform/database/transaction';
import type { OrderPatch } from '../order-updater/order-draft';
import { perform } from '../../platform/perform';
import type { Ending, PerformerOf } from '../../platform/perform';
import type { OrderRow } from '../order/orders.repository';
import { restartMachine, type RestartEvent } from '../order/restart.machine';
import { deleteShipmentsOfOrder } from './proposed-shipments.repository';

/** An order in checkout, locked, with its shipments as they are stored. */
type CheckoutOrder = Pick<OrderRow, 'id' | 'state'> & { shipments: readonly unknown[] };

interface Restart {
  tx: Tx;
  order: CheckoutOrder;
  hasLineItems: boolean;
}

const performer: PerformerOf<typeof restartMachine, Restart, OrderPatch> = {
  machine: restartMachine,
  read: ({ order, hasLineItems }) => ({
    state: order.state,
    facts: { has_shipments: order.shipments.length > 0, has_line_items: hasLineItems },
  }),
  effects: { delete_shipments: ({ tx, order }) => deleteShipmentsOfOrder(tx, order.id) },
  // The draft of the order writes it, with the history of the state.
  write: (_restart, { to }) => Promise.resolve(to === null ? {} : { state: to }),
};

/**
 * Restarts the checkout after lines or the ship address changed: the proposed shipments no longer hold (behaviour 8.7).
 * They are deleted, and the order goes back to `address`, or to `cart` without lines; payments and addresses stay.
 * Does nothing to an order that has no shipments yet or is complete.
 * @returns the columns to change with `patchDraft`
 */
export async function restartCheckout(
  tx: Tx,
  order: CheckoutOrder,
  hasLineItems: boolean,
): Promise<OrderPatch> {
  return readPatch(await perform(performer, 'restart', { tx, order, hasLineItems }));
}

/**
 * Takes an order in checkout back to an earlier step (behaviour 8.2).
 * @returns the columns to change with `patchDraft`; none for a later step, the present one and orders that are complete
 */
export async function stepBack(
  tx: Tx,
  order: CheckoutOrder,
  event: Exclude<RestartEvent, 'restart'>,
): Promise<OrderPatch> {
  return readPatch(await perform(performer, event, { tx, order, hasLineItems: true }));
}

function readPatch(ending: Ending<never, OrderPatch>): OrderPatch {
  return ending.ended === 'moved' ? ending.written : {};
}
