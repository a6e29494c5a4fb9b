import { audienceOf, type Audience } from '../../catalog/audience';
import type { VariantGraph } from '../../catalog/variant-graph';
import type { Ctx } from '../context';
import { NO_REVISIONS } from '../../geography/reference-revisions.repository';
import { canUpdateOrder, canUseSavedCards, isTokenValid } from '../../access/authorization';
import { findUnitsOfOrders, type InventoryUnitRow } from '../fulfilment/inventory-units.repository';
import {
  getOfferedPaymentMethods,
  type PaymentMethodRow,
} from '../payment-processing/payment-methods.repository';
import { getShippingMethods, type ShippingMethodGraph } from '../fulfilment/shipping-method-graph';
import type { OrderGraph } from '../order/order-graph';
import { findKnownVariants, loadVariantsOfOrders } from '../order/order-variants';
import { deriveOrderToken } from '../order/order-token';
import type { ShownOrder } from '../order/orders.repository';

/** The data of the index form: the row and the order token, which is not stored. */
export interface OrderSummary {
  order: ShownOrder;
  token: string;
  /** Cost prices, metadata and gateway profiles are shown to admins only. */
  audience: Audience;
}

/** The data of the detail form of an order. */
export interface OrderView extends OrderSummary {
  order: OrderGraph;
  /** The variants of its line items and shipments, including deleted ones. */
  variants: ReadonlyMap<number, VariantGraph>;
  shipping_methods: ReadonlyMap<number, ShippingMethodGraph>;
  can_update: boolean;
  /** Whether the reply lists the cards of the order. */
  shows_cards: boolean;
  /** In `payment` and `confirm`, the payment methods the actor can use; else null. */
  payment_methods: readonly PaymentMethodRow[] | null;
  /** The single inventory units, if the reply shows them (a GET in state `delivery`); else null. */
  inventory_units: readonly InventoryUnitRow[] | null;
}

/** Builds the data of the index form. It contains the token if the actor may update the order, else an empty one. */
export function buildOrderSummary(ctx: Ctx, order: ShownOrder): OrderSummary {
  return { order, token: findShownToken(ctx, order) ?? '', audience: audienceOf(ctx.actor) };
}

/** Returns the token of an order; null if the actor may not update the order. */
function findShownToken(ctx: Ctx, order: ShownOrder): string | null {
  // A valid token is that of the order.
  if (isTokenValid(ctx.orderToken, order.token_hash)) return ctx.orderToken;
  return canUpdateOrder(ctx, order) ? deriveOrderToken(ctx.secret, order.token_seed) : null;
}

/** Loads the data of the detail form, for any number of orders in a constant number of statements. */
export async function loadOrderViews(
  ctx: Ctx,
  orders: readonly OrderGraph[],
  show: { units?: boolean } = {},
): Promise<OrderView[]> {
  const variantIds = new Set(orders.flatMap((order) => order.line_items.map((line) => line.variant_id)));
  for (const order of orders) {
    for (const shipment of order.shipments) shipment.units.forEach((unit) => variantIds.add(unit.variant_id));
  }
  const variants = await getVariants(ctx, orders, variantIds);
  const revisions = orders[0]?.revisions ?? NO_REVISIONS;
  const hasRates = orders.some(({ shipments }) => shipments.some(({ rates }) => rates.length > 0));
  const methods = hasRates ? await getShippingMethods(ctx.db, revisions) : new Map<number, never>();
  const showsUnits = show.units === true && orders.some((order) => order.state === 'delivery');
  const units = showsUnits
    ? await findUnitsOfOrders(
        ctx.db,
        orders.map((order) => order.id),
      )
    : null;
  const payable = orders.some(isPayable);
  const offered = payable ? await getOfferedPaymentMethods(ctx.db, revisions, ctx.actor) : null;
  return orders.map((order) => {
    const token = findShownToken(ctx, order);
    return {
      order,
      token: token ?? '',
      audience: audienceOf(ctx.actor),
      variants,
      shipping_methods: methods,
      can_update: token !== null,
      shows_cards: canUseSavedCards(ctx.actor, order),
      payment_methods: isPayable(order) ? offered : null,
      inventory_units:
        order.state === 'delivery' ? (units?.filter((unit) => unit.order_id === order.id) ?? null) : null,
    };
  });
}

/**
 * A request that changes stock completes its order or has completed it before. Others reply with what they have read;
 * so does a completion that called a gateway after it unstocked the units (`has_final_stock`).
 */
async function getVariants(
  ctx: Ctx,
  orders: readonly OrderGraph[],
  ids: ReadonlySet<number>,
): Promise<ReadonlyMap<number, VariantGraph>> {
  const [first] = orders;
  const isCurrent =
    orders.length === 1 && first !== undefined && (first.completed_at === null || first.has_final_stock);
  const known = isCurrent ? findKnownVariants(first.variants, ids) : null;
  if (known !== null) return known;
  return loadVariantsOfOrders(ctx.db, [...ids]);
}

/** Whether the next steps of the checkout accept a payment. */
function isPayable({ state }: OrderGraph): boolean {
  return state === 'payment' || state === 'confirm';
}

/** Loads the data of the detail form of one order. */
export async function loadOrderView(
  ctx: Ctx,
  order: OrderGraph,
  show: { units?: boolean } = {},
): Promise<OrderView> {
  const [view] = await loadOrderViews(ctx, [order], show);
  if (view === undefined) throw new Error('no view of the order');
  return view;
}
