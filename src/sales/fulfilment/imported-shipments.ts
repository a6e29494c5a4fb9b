import type { OnBackordersFilled } from '../../inventory/backorders';
import { loadStockByLocation } from '../../inventory/availability.repository';
import { isCountedAt, lockStockAt } from '../../inventory/stock-ledger';
import type { StockPlace } from '../../inventory/stock-place';
import { InvalidResource } from '../../platform/errors';
import { prefixErrors } from '../../platform/nested-errors';
import { type MoneyDisplay, displayMoney } from '../../platform/money-format';
import { withFacts } from '../../platform/database/facts';
import type { Tx } from '../../platform/database/transaction';
import { throwIfRefused } from '../../platform/perform';
import type { LockedOrderGraph } from '../order/order-lock';
import type { Cause } from '../order/state-changes.repository';
import type { Parcel, ParcelPlan } from './parcel-rules';
import { storeParts, type OrderDraft } from '../order-updater/order-draft';
import { FULFILMENT_FACTS } from './fulfilment-facts';
import { performOnShipment } from './perform-on-shipment';
import { buildShipment, type NewShipment } from './new-shipment';
import { getShipmentByNumber } from './shipment-units';
import { matchUnitsToLines, type SoldLine } from './sold-units';
import type { FillState } from './stock-coordinator';
import {
  findUntrackedVariants,
  listSupplyUnits,
  planSupply,
  unstockSupply,
  type Demand,
  type Supply,
} from './supply';

/** A shipment of an imported order. Shipped ones leave stock alone: their units left long ago. */
export interface ImportedShipment {
  stock_location_id: number;
  stock_location_name: string;
  /** The method of the selected rate; null for none, and the cost is then zero. */
  method: { id: number; name: string; code: string | null } | null;
  /** A decimal string. */
  cost: string;
  tracking: string | null;
  shipped_at: Date | null;
}

/** What the steps of an import share. */
export interface ImportWork {
  cause: Cause;
  onBackordersFilled: OnBackordersFilled;
}

/**
 * Stores the shipments of an imported order. Units that have not shipped are unstocked, as in a sale; those that no
 * shipment holds are packed into further shipments, without cost. The units of an incomplete order take no stock, and
 * get only the given shipments. Expects the line items stored, and no shipments yet.
 * @returns the draft, and the ids of the given shipments, in their order; null for one that has no units and was removed
 * @throws InvalidResource `line_items.quantity` if stock is missing
 */
export async function importShipments<Order extends LockedOrderGraph>(
  tx: Tx,
  draft: OrderDraft<Order>,
  { parcels, rest, lines }: ParcelPlan<ImportedShipment> & { lines: readonly SoldLine[] },
  work: ImportWork,
): Promise<{ draft: OrderDraft<Order>; ids: (number | null)[] }> {
  const isSold = draft.order.completed_at !== null;
  await lockStock(tx, parcels, isSold ? rest : []);
  const numbers: string[] = [];
  let current = draft;
  for (const parcel of parcels) {
    const { stored, number } = await importShipment(tx, current, parcel, work.cause.user_id);
    current = stored;
    numbers.push(number);
  }
  for (const [place, { shipment }] of parcels.entries()) {
    if (shipment.shipped_at !== null) {
      const left = { number: numbers[place] ?? '', at: shipment.shipped_at };
      current = markAsLeft(current, left, work.cause);
    }
  }
  if (rest.length > 0 && isSold) {
    current = await matchUnitsToLines(tx, current, lines, work.onBackordersFilled);
  }
  const ids = new Map(current.order.shipments.map(({ id, number }) => [number, id]));
  return { draft: current, ids: numbers.map((number) => ids.get(number) ?? null) };
}

/** Performs the event of a stored shipment that left before the import. */
function markAsLeft<Order extends LockedOrderGraph>(
  draft: OrderDraft<Order>,
  { number, at }: { number: string; at: Date },
  cause: Cause,
): OrderDraft<Order> {
  const shipment = getShipmentByNumber(draft.order, number);
  const { ending, draft: left } = performOnShipment('import', { draft, shipment, at, cause });
  throwIfRefused(ending);
  // The type of the order says who may change it, which an event does not affect.
  return { ...left, order: { ...draft.order, ...left.order } };
}

/** Locks all stock of the import at once, by id. */
async function lockStock(
  tx: Tx,
  parcels: readonly Parcel<ImportedShipment>[],
  rest: readonly SoldLine[],
): Promise<void> {
  const places = parcels.flatMap(({ shipment, contents }) =>
    shipment.shipped_at !== null
      ? []
      : contents.map(({ variant_id }) => ({ variant_id, stock_location_id: shipment.stock_location_id })),
  );
  const others =
    rest.length === 0
      ? []
      : (
          await loadStockByLocation(
            tx,
            rest.map(({ variant_id }) => variant_id),
          )
        ).stock;
  if (places.length + others.length > 0) await lockStockAt(tx, [...places, ...others]);
}

/** Stores a shipment with its units, and unstocks them unless they left before. */
async function importShipment<Order extends LockedOrderGraph>(
  tx: Tx,
  draft: OrderDraft<Order>,
  { shipment, contents }: Parcel<ImportedShipment>,
  user_id: number | null,
): Promise<{ stored: OrderDraft<Order>; number: string }> {
  const { stock_location_id, stock_location_name, shipped_at, tracking, cost } = shipment;
  const { order, locked } = draft;
  // What earlier parcels of a cart hold does not count.
  const supply = shipped_at === null ? await loadParcelSupply(tx, locked, { shipment, contents }) : null;
  const isCounted = supply === null ? await findCountedSales(tx, contents) : isCountedAt(supply.locked);
  const units = contents.flatMap(({ line_item_id, ...demand }) =>
    listFills(supply, demand).map((fill) => ({
      line_item_id,
      variant_id: demand.variant_id,
      ...fill,
      counted: isCounted({ stock_location_id, variant_id: demand.variant_id }),
    })),
  );
  const place = { stock_location_id, stock_location_name };
  const built = buildShipment(order, { ...place, cost, units, rates: buildRates(shipment, order) });
  const shipments = [...order.shipments, { ...built, tracking }];
  const stored = await storeParts(tx, { ...draft, order: { ...order, shipments } });
  const { id, number } = getShipmentByNumber(stored.order, built.number);
  if (supply !== null) unstockSupply(tx, order, supply, { shipment_id: id, user_id });
  return { stored, number };
}

/** Returns which units that left before the import would have been counted, so that their returns are. */
async function findCountedSales(
  tx: Tx,
  contents: readonly Demand[],
): Promise<(place: StockPlace) => boolean> {
  const untracked = await withFacts(tx, FULFILMENT_FACTS, (facts) => findUntrackedVariants(facts, contents));
  return ({ variant_id }) => !untracked.has(variant_id);
}

/** Lists the units of a demand by state; without a supply they were on hand when they left. */
function listFills(supply: Supply | null, demand: Demand): { state: FillState; quantity: number }[] {
  return supply === null
    ? [{ state: 'on_hand', quantity: demand.quantity }]
    : listSupplyUnits(supply, demand);
}

async function loadParcelSupply(
  tx: Tx,
  order: LockedOrderGraph,
  { shipment, contents }: Parcel<ImportedShipment>,
): Promise<Supply> {
  const at = { stock_location_id: shipment.stock_location_id, demands: contents };
  try {
    return await withFacts(tx, FULFILMENT_FACTS, (facts) => planSupply(facts, order, at));
  } catch (error) {
    throw error instanceof InvalidResource
      ? new InvalidResource(prefixErrors('line_items', error.errors))
      : error;
  }
}

function buildRates({ method, cost }: ImportedShipment, shown: MoneyDisplay): NewShipment['rates'] {
  if (method === null) return [];
  const { id, name, code } = method;
  const named = { shipping_method_id: id, shipping_method_name: name, shipping_method_code: code };
  return [{ ...named, cost, display_cost: displayMoney(cost, shown), selected: true }];
}
