import { findUserId, type Actor } from '../../access/actor';
import type { PlacedChange } from '../../inventory/stock-ledger';
import { listReturningUnits } from '../fulfilment/sold-units';
import { performOnShipment } from '../fulfilment/perform-on-shipment';
import { takeStock, type StockPlan } from '../fulfilment/stock-plan';
import { buildFreightsDeletion } from '../fulfilment/released-freights.repository';
import type { OrderGraph } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import type { OrderEffect, OrderFacts } from '../order/order.machine';
import {
  addToDraft,
  applyParts,
  type ChangedParts,
  type OrderDraft,
  type OrderPatch,
} from '../order-updater/order-draft';
import type { Cause } from '../order/state-changes.repository';

/** An order to perform an event on. Effects collect changed columns of the order in `patch`, and everything else in `draft`. */
export interface OrderStep {
  /** The order before the event. */
  order: LockedOrderGraph;
  patch: OrderPatch;
  draft: OrderDraft;
  /** The units to restock once the order is saved. */
  returned: PlacedChange[];
  context: EventContext;
  cause: Cause;
  /** For `import`: when the order was completed. */
  completedAt?: Date;
  /** For `resume`. */
  terms?: ResumeTerms | undefined;
}

/** What resuming an order depends on, locked. */
export interface ResumeTerms {
  stock: StockPlan;
  promotions_hold: boolean;
}

/** Who performs an event, and when. */
export interface EventContext {
  actor: Actor;
  now: () => Date;
}

/** Builds the facts that the order machine decides on. */
export function buildOrderFacts(order: OrderGraph, terms?: ResumeTerms): OrderFacts {
  const units = order.shipments.flatMap((shipment) => shipment.units);
  return {
    shipment_state: order.shipment_state,
    has_shipped_units: units.some(({ state }) => state === 'shipped' || state === 'returned'),
    is_approved: order.approved_at !== null,
    ...(terms !== undefined && {
      is_in_stock: terms.stock.shortages.length === 0,
      promotions_hold: terms.promotions_hold,
    }),
  };
}

function changeParts(step: OrderStep, parts: ChangedParts): void {
  step.draft = applyParts(step.draft, parts);
}

export const effects: Record<OrderEffect, (step: OrderStep) => void> = {
  stamp_completion({ patch, completedAt }) {
    if (completedAt === undefined) throw new Error('an imported order needs its time of completion');
    patch.completed_at = completedAt;
  },
  delete_line_items(step) {
    changeParts(step, { line_items: [] });
  },
  delete_adjustments(step) {
    changeParts(step, { adjustments: [], promotions: [] });
  },
  delete_shipments(step) {
    changeParts(step, { shipments: [] });
    step.draft = addToDraft(step.draft, { commands: [buildFreightsDeletion(step.order)] });
  },
  delete_checkout_payments(step) {
    changeParts(step, { payments: step.order.payments.filter(({ state }) => state !== 'checkout') });
  },
  stamp_cancellation({ patch, context }) {
    Object.assign(patch, {
      canceled_at: context.now(),
      canceler_id: findUserId(context.actor),
    } satisfies OrderPatch);
  },
  stamp_approval({ patch, context }) {
    Object.assign(patch, {
      approved_at: context.now(),
      approver_id: findUserId(context.actor),
      considered_risky: false,
    } satisfies OrderPatch);
  },
  unstock_units(step) {
    const { order, terms, cause } = step;
    if (terms === undefined) throw new Error('a resumed order needs its plan of stock');
    const { shipments, ...moves } = takeStock(order, terms.stock, cause.user_id);
    step.draft = addToDraft(applyParts(step.draft, { shipments }), moves);
  },
  resume_shipments(step) {
    const { cause, context } = step;
    for (const shipment of step.draft.order.shipments) {
      const subject = { draft: step.draft, shipment, at: context.now(), cause };
      step.draft = performOnShipment('resume', subject).draft;
    }
  },
  clear_cancellation({ patch }) {
    Object.assign(patch, { canceled_at: null, canceler_id: null } satisfies OrderPatch);
  },
  restock_units(step) {
    const action = step.cause.reason;
    step.returned = listReturningUnits(step.order).map((change) => ({ ...change, action }));
  },
};
