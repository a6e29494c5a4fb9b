import { findUserId, type Actor } from '../../access/actor';
import type { OnBackordersFilled } from '../../inventory/backorders';
import type { Tx } from '../../platform/database/transaction';
import { listReturningUnits } from '../fulfilment/sold-units';
import { performOnShipment } from '../fulfilment/perform-on-shipment';
import { applyPlan, type StockPlan } from '../fulfilment/stock-plan';
import { forgetReleasedFreights } from '../fulfilment/released-freights.repository';
import { restockUnits } from '../fulfilment/restock-units';
import type { OrderGraph } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import type { OrderEffect, OrderFacts } from '../order/order.machine';
import type { OrderDraft, OrderParts, OrderPatch } from '../order-updater/order-draft';
import type { Cause } from '../order/state-changes.repository';

/** An order to perform an event on. Effects write rows, and collect changed columns of the order in `patch`. */
export interface OrderStep {
  tx: Tx;
  /** The order before the event. */
  order: LockedOrderGraph;
  patch: OrderPatch;
  draft: OrderDraft;
  context: EventContext;
  cause: Cause;
  /** For `import`: when the order was completed. */
  completedAt?: Date;
  /** For `resume`. */
  terms?: ResumeTerms;
}

/** What resuming an order depends on, locked. */
export interface ResumeTerms {
  stock: StockPlan;
  promotions_hold: boolean;
}

/** The actor of an event, and the dependencies of its effects. */
export interface EventContext {
  actor: Actor;
  now: () => Date;
  onBackordersFilled: OnBackordersFilled;
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

function changeParts(step: OrderStep, parts: Partial<OrderParts>): void {
  step.draft = { ...step.draft, order: { ...step.draft.order, ...parts } };
}

export const effects: Record<OrderEffect, (step: OrderStep) => Promise<void>> = {
  stamp_completion({ patch, completedAt }) {
    if (completedAt === undefined) throw new Error('an imported order needs its time of completion');
    patch.completed_at = completedAt;
    return Promise.resolve();
  },
  delete_line_items(step) {
    changeParts(step, { line_items: [] });
    return Promise.resolve();
  },
  delete_adjustments(step) {
    changeParts(step, { adjustments: [], promotions: [] });
    return Promise.resolve();
  },
  async delete_shipments(step) {
    await forgetReleasedFreights(step.tx, step.order);
    changeParts(step, { shipments: [] });
  },
  delete_checkout_payments(step) {
    const payments = step.order.payments.filter(({ state }) => state !== 'checkout');
    changeParts(step, { payments });
    return Promise.resolve();
  },
  stamp_cancellation({ patch, context }) {
    Object.assign(patch, {
      canceled_at: context.now(),
      canceler_id: findUserId(context.actor),
    } satisfies OrderPatch);
    return Promise.resolve();
  },
  stamp_approval({ patch, context }) {
    Object.assign(patch, {
      approved_at: context.now(),
      approver_id: findUserId(context.actor),
      considered_risky: false,
    } satisfies OrderPatch);
    return Promise.resolve();
  },
  async unstock_units(step) {
    const { tx, order, terms, cause } = step;
    if (terms === undefined) throw new Error('a resumed order needs its plan of stock');
    changeParts(step, { shipments: await applyPlan(tx, order, terms.stock, cause.user_id) });
  },
  async resume_shipments(step) {
    const { tx, cause, context, draft } = step;
    const { now, onBackordersFilled } = context;
    for (const shipment of draft.order.shipments) {
      const subject = { draft: step.draft, shipment, at: now(), cause, onBackordersFilled };
      const ending = await performOnShipment(tx, 'resume', subject);
      if (ending.ended === 'moved') step.draft = ending.written;
    }
  },
  clear_cancellation({ patch }) {
    Object.assign(patch, { canceled_at: null, canceler_id: null } satisfies OrderPatch);
    return Promise.resolve();
  },
  async restock_units(step) {
    const { tx, order, context, cause } = step;
    const returned = listReturningUnits(order).map((change) => ({ ...change, action: cause.reason }));
    step.draft = await restockUnits(tx, step.draft, returned, context.onBackordersFilled);
  },
};
