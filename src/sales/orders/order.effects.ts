import { findUserId, type Actor } from '../../access/actor';
import type { OnBackordersFilled } from '../../inventory/backorders';
import type { Tx } from '../../platform/database/transaction';
import { listReturningUnits } from '../fulfilment/sold-units';
import { performOnShipment } from '../fulfilment/perform-on-shipment';
import { applyPlan, type StockPlan } from '../fulfilment/stock-plan';
import { forgetReleasedFreights } from '../fulfilment/released-freights.repository';
import { restockUnits } from '../fulfilment/restock-units';
import { deleteLines } from '../fulfilment/line-items.repository';
import { deleteShipmentsOfOrder } from '../fulfilment/proposed-shipments.repository';
import type { OrderGraph } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import type { OrderEffect, OrderFacts } from '../order/order.machine';
import type { OrderPatch } from '../order-updater/order-draft';
import type { Cause } from '../order/state-changes.repository';
import { deleteCheckoutPayments } from '../payment-processing/payments.repository';
import { deleteAdjustmentsOfOrder } from '../pricing/adjustments.repository';
import { unlinkPromotions } from '../pricing/order-promotions.repository';

/** An order to perform an event on. Effects write rows, and collect changed columns of the order in `patch`. */
export interface OrderStep {
  tx: Tx;
  /** The order before the event. */
  order: LockedOrderGraph;
  patch: OrderPatch;
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

export const effects: Record<OrderEffect, (step: OrderStep) => Promise<void>> = {
  stamp_completion({ patch, completedAt }) {
    if (completedAt === undefined) throw new Error('an imported order needs its time of completion');
    patch.completed_at = completedAt;
    return Promise.resolve();
  },
  async delete_line_items({ tx, order }) {
    await deleteLines(
      tx,
      order,
      order.line_items.map(({ id }) => id),
    );
  },
  async delete_adjustments({ tx, order }) {
    await unlinkPromotions(tx, order);
    await deleteAdjustmentsOfOrder(tx, order);
  },
  async delete_shipments({ tx, order }) {
    await forgetReleasedFreights(tx, order);
    await deleteShipmentsOfOrder(tx, order);
  },
  delete_checkout_payments: ({ tx, order }) => deleteCheckoutPayments(tx, order),
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
  async unstock_units({ tx, order, terms, cause }) {
    if (terms === undefined) throw new Error('a resumed order needs its plan of stock');
    await applyPlan(tx, order, terms.stock, cause.user_id);
  },
  async resume_shipments({ tx, order, cause, context }) {
    const { now, onBackordersFilled } = context;
    for (const shipment of order.shipments) {
      await performOnShipment(tx, 'resume', { order, shipment, at: now(), cause, onBackordersFilled });
    }
  },
  clear_cancellation({ patch }) {
    Object.assign(patch, { canceled_at: null, canceler_id: null } satisfies OrderPatch);
    return Promise.resolve();
  },
  async restock_units({ tx, order, context, cause }) {
    const returned = listReturningUnits(order).map((change) => ({ ...change, action: cause.reason }));
    await restockUnits(tx, order, returned, context.onBackordersFilled);
  },
};
