import { perform } from '../../platform/perform';
import type { Ending, PerformerOf } from '../../platform/perform';
import type { OrderGraph } from '../order/order-graph';
import { restartMachine, type RestartEvent } from '../order/restart.machine';
import type { ChangedParts, OrderPatch } from '../order-updater/order-draft';

/** Changed columns of an order and changed nested records. */
export interface Restart {
  patch: OrderPatch;
  parts: ChangedParts;
}

interface Subject {
  order: OrderGraph;
  hasLineItems: boolean;
  parts: ChangedParts;
}

const performer: PerformerOf<typeof restartMachine, Subject, Restart> = {
  machine: restartMachine,
  read: ({ order, hasLineItems }) => ({
    state: order.state,
    facts: { has_shipments: order.shipments.length > 0, has_line_items: hasLineItems },
  }),
  effects: {
    delete_shipments: (subject) => {
      subject.parts = removeShipments(subject.order);
    },
  },
  write: ({ parts }, { to }) => ({ parts, patch: to === null ? {} : { state: to } }),
};

/** Removes the shipments of an order, with their adjustments. */
export function removeShipments({ adjustments }: OrderGraph): ChangedParts {
  return { shipments: [], adjustments: adjustments.filter(({ shipment_id }) => shipment_id === null) };
}

/**
 * Restarts the checkout after line items or the ship address changed, because the proposed shipments are no longer valid.
 * Removes them and returns the order to `address`, or to `cart` without line items. Payments and
 * addresses stay. Does nothing if the order has no shipments or is complete.
 */
export function restartCheckout(order: OrderGraph, hasLineItems: boolean): Restart {
  return read(perform(performer, 'restart', { order, hasLineItems, parts: {} }));
}

/**
 * Returns an order in checkout to an earlier step.
 * @returns the columns to change with `patchDraft`; none if the step is the current or a later one, or the order is
 *   complete
 */
export function stepBack(order: OrderGraph, event: Exclude<RestartEvent, 'restart'>): OrderPatch {
  return read(perform(performer, event, { order, hasLineItems: true, parts: {} })).patch;
}

function read(ending: Ending<never, Restart>): Restart {
  return ending.ended === 'moved' ? ending.written : { patch: {}, parts: {} };
}
