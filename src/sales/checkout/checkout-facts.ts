import { canSupply, loadAvailability } from '../../inventory/availability';
import { lockStockAt, type PlacedChange } from '../../inventory/stock-ledger';
import type { LockedStockItem } from '../../inventory/stock-ledger.repository';
import { buildPlaceKey } from '../../inventory/stock-place';
import type { Tx } from '../../platform/database/transaction';
import { sumOf, toAmount } from '../../platform/money';
import { findUnitsOfOrders, type InventoryUnitRow } from '../fulfilment/inventory-units.repository';
import type { OrderGraph } from '../order/order-graph';
import { calculatePaymentTotal } from '../order/order-totals';
import { recheckPromotions } from '../pricing/order-promotions';
import type { Shortfall } from '../fulfilment/line-shortages';
import { findExpiryError } from '../payment-processing/card-rules';
import { planRefill, type FillState, type RefillPlan } from '../fulfilment/stock-coordinator';
import { isFree, type CheckoutFacts } from '../order/checkout.guards';
import { findOrderedVariants, type OrderedVariant } from '../fulfilment/ordered-variants.repository';
import { proposeShipments, type Proposal } from '../fulfilment/proposal';
import { listStockChanges } from '../fulfilment/sold-units';
import type { LockedOrderGraph } from '../order/order-lock';

/** How the units of an order that is being completed are filled from the locked stock items. */
export interface StockPlan extends RefillPlan {
  locked: readonly LockedStockItem[];
  /** The units to unstock, by shipment. Variants without inventory tracking are recorded but not counted. */
  sold: readonly PlacedChange[];
  units_before: readonly InventoryUnitRow[];
}

/** The facts that decide on a step, and the data its effects use. */
export interface StepFacts {
  facts: CheckoutFacts;
  /** Null unless the step proposes shipments. */
  proposal: Proposal | null;
  /** Null unless the step completes the order. */
  stock: StockPlan | null;
  /** What is available of the line items that cannot be supplied. */
  shortfalls: readonly Shortfall[];
}

/**
 * Loads the facts of the next step, and nothing that this step does not need. Expects the graph and totals of the order
 * up to date. If the step completes the order, locks the promotions and stock items it uses.
 */
export async function loadStepFacts(
  tx: Tx,
  order: LockedOrderGraph,
  { now, taxes_have_risen }: { now: Date; taxes_have_risen: boolean },
): Promise<StepFacts> {
  const variantIds = order.line_items.map((line) => line.variant_id);
  const completes = isCompletionNext(order);
  const proposes = isDeliveryNext(order);
  const variants = completes || proposes ? await findOrderedVariants(tx, variantIds, order.currency) : null;
  // Promotions are always locked before stock.
  const promotions = completes ? await recheckPromotions(tx, order) : 'hold';
  const stock = variants !== null && completes ? await planStock(tx, order, variants) : null;
  const proposal = variants !== null && proposes ? await proposeShipments(tx, order, variants) : null;
  const missing = stock?.shortages ?? proposal?.shortages;
  const shortfalls =
    missing === undefined ? await findShortfalls(tx, order) : buildShortfalls(order, missing);
  const payments = order.payments.map((payment) => ({
    state: payment.state,
    amount: toAmount(payment.amount),
    refunded: toAmount(payment.refunded),
  }));
  const pending = payments.filter((payment) => payment.state === 'pending');
  return {
    proposal,
    stock,
    shortfalls,
    facts: {
      email: order.email,
      line_item_count: order.line_items.length,
      // Checked at completion only.
      every_variant_is_sold:
        variants === null || variantIds.every((id) => variants.get(id)?.is_sold === true),
      every_item_is_in_stock: shortfalls.length === 0 && proposal?.has_shortage !== true,
      promotions,
      // Addresses are checked when they are stored.
      bill_address_errors: order.bill_address === null ? null : {},
      ship_address_errors: order.ship_address === null ? null : {},
      proposal,
      shipments: order.shipments.map(({ rates }) => ({
        has_selected_rate: rates.some((rate) => rate.selected),
      })),
      every_shipping_method_is_offered: order.shipments.every(
        ({ rates }) => !rates.some((rate) => rate.selected && rate.method_is_deleted),
      ),
      unusable_payment: findUnusablePayment(order, now),
      taxes_have_risen,
      total: toAmount(order.total),
      payment_total: calculatePaymentTotal(payments),
      pending_total: sumOf(pending, (payment) => payment.amount),
      payments,
    },
  };
}

/** Whether the next step completes the order. */
export function isCompletionNext(order: OrderGraph): boolean {
  const free = isFree({ total: toAmount(order.total) });
  return order.state === 'confirm' || (free && (order.state === 'delivery' || order.state === 'payment'));
}

function isDeliveryNext(order: OrderGraph): boolean {
  return order.state === 'address' && order.ship_address !== null && order.bill_address !== null;
}

/** Finds why a payment that is still to be processed cannot be: methods and cards may change after it was entered. */
function findUnusablePayment({ payments }: OrderGraph, now: Date): CheckoutFacts['unusable_payment'] {
  const waiting = payments.filter(({ state }) => state === 'checkout');
  if (waiting.some((payment) => !payment.method_is_active)) return 'inactive_method';
  const hasExpired = waiting.some(
    ({ card }) => card !== null && findExpiryError(Number(card.month), Number(card.year), now) !== null,
  );
  return hasExpired ? 'expired_card' : null;
}

/** Finds the line items that the available stock cannot supply. One statement. */
async function findShortfalls(tx: Tx, order: OrderGraph): Promise<Shortfall[]> {
  if (order.line_items.length === 0) return [];
  const stock = await loadAvailability(
    tx,
    order.line_items.map((line) => line.variant_id),
  );
  return order.line_items.flatMap(({ variant_id, quantity }) => {
    const available = stock.get(variant_id);
    if (available !== undefined && canSupply(available, quantity)) return [];
    return [{ variant_id, available: Math.max(0, available?.total_on_hand ?? 0) }];
  });
}

/** Sums missing units by line item; an order has one line item of each variant. */
function buildShortfalls(
  order: OrderGraph,
  missing: readonly { variant_id: number; quantity: number }[],
): Shortfall[] {
  return order.line_items.flatMap(({ variant_id, quantity }) => {
    const own = missing.filter((units) => units.variant_id === variant_id);
    const lacking = own.reduce((all, units) => all + units.quantity, 0);
    return lacking === 0 ? [] : [{ variant_id, available: Math.max(0, quantity - lacking) }];
  });
}

/** Locks the stock items of an order and plans the state of every unit from their counts. */
async function planStock(
  tx: Tx,
  order: LockedOrderGraph,
  variants: ReadonlyMap<number, OrderedVariant>,
): Promise<StockPlan> {
  const units = await findUnitsOfOrders(tx, [order.id]);
  const locationOf = new Map(order.shipments.map((shipment) => [shipment.id, shipment.stock_location_id]));
  const proposed = units.map((unit) => ({
    id: unit.id,
    variant_id: unit.variant_id,
    stock_location_id: locationOf.get(unit.shipment_id) ?? 0,
    tracks_inventory: variants.get(unit.variant_id)?.tracks_inventory ?? true,
    state: readFillState(unit),
  }));
  const sold = listStockChanges(order);
  const locked = await lockStockAt(tx, sold);
  const places = new Set(locked.map(buildPlaceKey));
  return {
    // A location that was closed after the delivery step ships nothing.
    ...planRefill(
      proposed,
      locked.filter((item) => item.is_at_active_location),
    ),
    locked,
    sold: sold.filter((change) => places.has(buildPlaceKey(change))),
    units_before: units,
  };
}

function readFillState(unit: InventoryUnitRow): FillState {
  return unit.state === 'backordered' ? 'backordered' : 'on_hand';
}
