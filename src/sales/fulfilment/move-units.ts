import type { OnBackordersFilled } from '../../inventory/backorders';
import { isCountedAt, type PlacedChange } from '../../inventory/stock-ledger';
import { withFacts } from '../../platform/database/facts';
import type { Tx } from '../../platform/database/transaction';
import { groupBy } from '../../platform/group-by';
import { sumByVariant } from '../../platform/quantities';
import type { ShipmentGraph } from '../order/order-graph';
import { addToDraft, storeParts, type OrderDraft } from '../order-updater/order-draft';
import { addUnitCounts, negateUnits } from './counted-units';
import { FULFILMENT_FACTS } from './fulfilment-facts';
import { findUnshippedUnits, type UnshippedUnit } from './inventory-units.repository';
import { restockUnits } from './restock-units';
import { buildRestock } from './shipment-units';
import type { FillState } from './stock-coordinator';
import { planSupply, unstockSupply, type Demand } from './supply';
import { reassignUnits } from './unit-states';

/** The shipment that units move to, with its location. */
export type Destination = Pick<ShipmentGraph, 'id' | 'stock_location_id'>;

/**
 * Moves unshipped units into another stored shipment, or into the same one at another location: `demand`, or all of them.
 * If the location changes, they are filled from the stock of the new location and restocked at the old one. If it does
 * not, their states stay and no stock moves. Requires the same locks as `removeUnits`.
 * @param move `from` as it was before, if its location changes
 * @returns the stored draft
 * @throws InvalidResource `quantity`
 */
export async function moveUnits(
  tx: Tx,
  draft: OrderDraft,
  move: { from: ShipmentGraph; to: Destination; demand?: Demand },
  onBackordersFilled: OnBackordersFilled,
): Promise<OrderDraft> {
  const { from, to, demand } = move;
  const { locked: order } = draft;
  const units = await findUnshippedUnits(tx, from.id, demand ?? null);
  if (from.stock_location_id === to.stock_location_id) {
    const moving = units.map((unit) => ({ ...unit, fill: unit.state, counts: unit.counted }));
    return storeMoved(tx, draft, { from, to, moving });
  }
  const demands = sumByVariant(units.map(({ variant_id }) => ({ variant_id, quantity: 1 })));
  const alsoLocked = demands.map(({ variant_id }) => ({
    variant_id,
    stock_location_id: from.stock_location_id,
  }));
  const { stock_location_id } = to;
  const supply = await withFacts(tx, FULFILMENT_FACTS, (facts) =>
    planSupply(facts, order, { stock_location_id, demands, alsoLocked }),
  );
  const onHand = new Map([...supply.fills].map(([variant_id, fill]) => [variant_id, fill.on_hand]));
  const isSold = order.completed_at !== null;
  const isCounted = isCountedAt(supply.locked);
  const moving = units.map((unit) => ({
    ...unit,
    fill: assignFillState(onHand, unit.variant_id),
    counts: isSold ? isCounted({ stock_location_id, variant_id: unit.variant_id }) : unit.counted,
  }));
  const stored = await storeMoved(tx, draft, { from, to, moving });
  if (!isSold) return stored;
  unstockSupply(tx, order, supply, { shipment_id: to.id, user_id: onBackordersFilled.user_id });
  return restockUnits(tx, stored, listMovedRestock(from, units), onBackordersFilled);
}

/** A unit that moves, how it is filled afterwards, and whether it then changes a count. */
type MovedUnit = UnshippedUnit & { fill: FillState; counts: boolean };

async function storeMoved(
  tx: Tx,
  draft: OrderDraft,
  { from, to, moving }: { from: ShipmentGraph; to: Destination; moving: readonly MovedUnit[] },
): Promise<OrderDraft> {
  const counts = new Map(moving.map(({ id, counts: counted }) => [id, counted]));
  const decided = reassignUnits(moving, to.id);
  const changed = decided.map((unit) => ({ ...unit, counted: counts.get(unit.id) ?? false }));
  // In the order of their ids, as units are read.
  const changes = [...moving]
    .sort((one, other) => one.id - other.id)
    .flatMap(({ line_item_id, variant_id, state, counted, fill, counts: isCounted }) => {
      const unit = { line_item_id, variant_id, quantity: 1 };
      const before = { ...unit, shipment_id: from.id, state, counted_quantity: counted ? 1 : 0 };
      const after = { ...unit, shipment_id: to.id, state: fill, counted_quantity: isCounted ? 1 : 0 };
      return [negateUnits(before), after];
    });
  const shipments = addUnitCounts(draft.order, changes);
  const moved = { ...draft, order: { ...draft.order, shipments } };
  return storeParts(tx, addToDraft(moved, { units: changed.length === 0 ? [] : [{ changed }] }));
}

function listMovedRestock(from: ShipmentGraph, units: readonly UnshippedUnit[]): PlacedChange[] {
  const groups = groupBy(units, ({ variant_id, state, counted }) => `${variant_id}/${state}/${counted}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [buildRestock(from, { ...first, quantity: group.length })];
  });
}

function assignFillState(onHand: Map<number, number>, variantId: number): FillState {
  const remaining = onHand.get(variantId) ?? 0;
  onHand.set(variantId, remaining - 1);
  return remaining > 0 ? 'on_hand' : 'backordered';
}
