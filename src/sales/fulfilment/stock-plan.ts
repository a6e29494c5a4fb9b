import { isCountedAt, lockStockAt, unstock, type PlacedChange } from '../../inventory/stock-ledger';
import type { LockedStockItem } from '../../inventory/stock-ledger.repository';
import { buildPlaceKey } from '../../inventory/stock-place';
import { sendTogether, type Tx } from '../../platform/database/transaction';
import type { OrderGraph } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import { storeCounted } from './counted-units';
import { findUnitsOfOrders, type InventoryUnitRow } from './inventory-units.repository';
import type { Shortfall } from './line-shortages';
import type { OrderedVariant } from './ordered-variants.repository';
import { listStockChanges } from './sold-units';
import { planRefill, type FillState, type RefillPlan } from './stock-coordinator';
import { refillUnitStates } from './unit-states';

/** How the units of an order that completes or is resumed are filled from the locked stock items. */
export interface StockPlan extends RefillPlan {
  locked: readonly LockedStockItem[];
  /** The units to unstock, by shipment. Variants without inventory tracking are recorded but not counted. */
  sold: readonly PlacedChange[];
  units_before: readonly InventoryUnitRow[];
}

/** Locks the stock items of an order and plans the state of every unit from their counts. */
export async function planStock(
  tx: Tx,
  order: LockedOrderGraph,
  variants: ReadonlyMap<number, OrderedVariant>,
): Promise<StockPlan> {
  const sold = listStockChanges(order);
  const [locked, units] = await sendTogether(
    tx,
    () => lockStockAt(tx, sold),
    () => findUnitsOfOrders(tx, [order.id]),
  );
  const locationOf = new Map(order.shipments.map((shipment) => [shipment.id, shipment.stock_location_id]));
  const proposed = units.map((unit) => ({
    id: unit.id,
    variant_id: unit.variant_id,
    stock_location_id: locationOf.get(unit.shipment_id) ?? 0,
    tracks_inventory: variants.get(unit.variant_id)?.tracks_inventory ?? true,
    state: readFillState(unit),
  }));
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

/**
 * Sums missing units by line item, and returns how many units are available; an order has one line item of each
 * variant.
 */
export function listShortfalls(
  order: Pick<OrderGraph, 'line_items'>,
  missing: readonly { variant_id: number; quantity: number }[],
): Shortfall[] {
  return order.line_items.flatMap(({ variant_id, quantity }) => {
    const own = missing.filter((units) => units.variant_id === variant_id);
    const lacking = own.reduce((all, units) => all + units.quantity, 0);
    return lacking === 0 ? [] : [{ variant_id, available: Math.max(0, quantity - lacking) }];
  });
}

/**
 * Unstocks the units of an order as planned and updates their states. The plan must have no shortages.
 * @returns whether the state of a unit changed
 * @throws InvalidResource `count_on_hand` if an item has too few units
 */
export async function unstockPlan(
  tx: Tx,
  order: LockedOrderGraph,
  plan: StockPlan,
  user_id: number | null,
): Promise<boolean> {
  const fills = new Map(plan.units.map((unit) => [unit.id, unit.state]));
  const units = plan.units_before.flatMap(({ id, state }) => {
    const fill = fills.get(id);
    return fill === undefined ? [] : [{ id, state, fill }];
  });
  const isChanged = await refillUnitStates(tx, order, units);
  await unstock(tx, plan.locked, plan.sold, user_id);
  await storeCounted(tx, order, plan.units_before, isCountedAt(plan.locked));
  return isChanged;
}
