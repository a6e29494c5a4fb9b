import type { OnBackordersFilled } from '../../inventory/backorders';
import { loadStockByLocation } from '../../inventory/availability.repository';
import { isCountedAt, lockStockAt } from '../../inventory/stock-ledger';
import type { StockPlace } from '../../inventory/stock-place';
import { InvalidResource } from '../../platform/errors';
import { prefixErrors } from '../../platform/nested-errors';
import { type MoneyDisplay, displayMoney } from '../../platform/money';
import type { Tx } from '../../platform/database/transaction';
import { throwIfRefused } from '../../platform/perform';
import type { LockedOrderGraph } from '../order/order-lock';
import { loadOrderGraph } from '../order/load-order-graph';
import type { Cause } from '../order/state-changes.repository';
import type { Parcel, ParcelPlan } from './parcel-rules';
import { createDraft, saveDraft } from '../order-updater/order-draft';
import { performOnShipment } from './perform-on-shipment';
import { insertShipments, type NewShipment } from './proposed-shipments.repository';
import { updateShipment } from './shipments.repository';
import { matchUnitsToLines, type SoldLine } from './sold-units';
import type { FillState } from './stock-coordinator';
import {
  findUntrackedVariants,
  listSupplyUnits,
  loadSupply,
  unstockSupply,
  type Demand,
  type Supply,
} from './supply';

/** A shipment of an imported order. Shipped ones leave stock alone: their units left long ago. */
export interface ImportedShipment {
  stock_location_id: number;
  /** The method of the selected rate; null for none, and the cost is then zero. */
  shipping_method_id: number | null;
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
 * @returns the ids of the given shipments, in their order
 * @throws InvalidResource `line_items.quantity` if stock is missing
 */
export async function importShipments(
  tx: Tx,
  order: LockedOrderGraph,
  { parcels, rest, lines }: ParcelPlan<ImportedShipment> & { lines: readonly SoldLine[] },
  work: ImportWork,
): Promise<number[]> {
  const isSold = order.completed_at !== null;
  await lockStock(tx, parcels, isSold ? rest : []);
  const sent = new Map<number, Date>();
  const ids: number[] = [];
  for (const parcel of parcels) {
    const id = await importShipment(tx, order, parcel, work.cause.user_id);
    ids.push(id);
    if (parcel.shipment.shipped_at !== null) sent.set(id, parcel.shipment.shipped_at);
  }
  if (!isSold) return ids;
  let draft = createDraft(await loadParts(tx, order));
  for (const shipment of draft.order.shipments) {
    const at = sent.get(shipment.id);
    if (at === undefined) continue;
    const { cause, onBackordersFilled } = work;
    const subject = { draft, shipment, at, cause, onBackordersFilled };
    const ending = throwIfRefused(await performOnShipment(tx, 'import', subject));
    if (ending.ended === 'moved') draft = ending.written;
  }
  await saveDraft(tx, draft);
  if (rest.length > 0)
    await matchUnitsToLines(tx, await loadParts(tx, order), lines, work.onBackordersFilled);
  return ids;
}

/** Reloads what the import has stored. The columns of the order are not stored yet. */
async function loadParts(tx: Tx, order: LockedOrderGraph): Promise<LockedOrderGraph> {
  const { line_items, shipments } = await loadOrderGraph(tx, order.id);
  return { ...order, line_items, shipments };
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

/** Stores a shipment with its units, and unstocks them unless they left before. @returns its id */
async function importShipment(
  tx: Tx,
  order: LockedOrderGraph,
  { shipment, contents }: Parcel<ImportedShipment>,
  user_id: number | null,
): Promise<number> {
  const { stock_location_id, shipped_at, tracking } = shipment;
  const supply = shipped_at === null ? await loadParcelSupply(tx, order, { shipment, contents }) : null;
  const isCounted = supply === null ? await findCountedSales(tx, contents) : isCountedAt(supply.locked);
  const units = contents.flatMap(({ line_item_id, ...demand }) =>
    listFills(supply, demand).map((fill) => ({
      line_item_id,
      variant_id: demand.variant_id,
      ...fill,
      counted: isCounted({ stock_location_id, variant_id: demand.variant_id }),
    })),
  );
  const rates = buildRates(shipment, order);
  const [stored] = await insertShipments(tx, order, [
    { stock_location_id, cost: shipment.cost, units, rates },
  ]);
  if (stored === undefined) throw new Error('the shipment was not stored');
  const { id } = stored;
  if (supply !== null) await unstockSupply(tx, order, supply, { shipment_id: id, user_id });
  if (tracking !== null) await updateShipment(tx, order, id, { tracking });
  return id;
}

/** Returns which units that left before the import would have been counted, so that their returns are. */
async function findCountedSales(
  tx: Tx,
  contents: readonly Demand[],
): Promise<(place: StockPlace) => boolean> {
  const untracked = await findUntrackedVariants(tx, contents);
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
    return await loadSupply(tx, order, at);
  } catch (error) {
    throw error instanceof InvalidResource
      ? new InvalidResource(prefixErrors('line_items', error.errors))
      : error;
  }
}

function buildRates(
  { shipping_method_id, cost }: ImportedShipment,
  shown: MoneyDisplay,
): NewShipment['rates'] {
  if (shipping_method_id === null) return [];
  return [{ shipping_method_id, cost, display_cost: displayMoney(cost, shown), selected: true }];
}
