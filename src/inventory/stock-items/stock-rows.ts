import { buildUnknownVariant, findNamedVariants } from '../../catalog/variants/named-variants.repository';
import { buildFailure, type RowOutcome } from '../../platform/batch';
import { BLANK, type FieldErrors } from '../../platform/errors';
import { Restart, type Tx } from '../../platform/database/transaction';
import { groupBy } from '../../platform/group-by';
import { findOwingPlaces, lockOwedUnits, type OnBackordersFilled } from '../backorders';
import { changeStocks, takeOverOwedUnits, type CountedTarget } from '../item-stock';
import { findLocationNames, lockStockLocationForUse } from '../stock-locations/stock-locations.repository';
import { buildPlaceKey, type StockPlace } from '../stock-place';
import { planStockTargets } from '../stock-targets.rules';
import { findStockItemIdsAt, insertStockItems, updateBackorderable } from './stock-items.repository';
import type { StockRow } from './stock-rows.schema';

/** A row whose variant and location exist. */
interface PlacedRow {
  place: StockPlace;
  target: Omit<CountedTarget, 'stock_item_id' | keyof StockPlace>;
}

/**
 * Sets and adjusts counts in a constant number of statements. Rows of one stock item apply in their order. A missing
 * stock item is created, not backorderable unless the row says so, and takes over what its place owes. Each change is a
 * movement with `action`. Rows with errors change nothing; the others apply. Locks orders whose backorders are filled,
 * then stock items by id.
 * @returns the outcome of each row, with the id of its stock item
 */
export async function applyStockRows(
  tx: Tx,
  rows: readonly StockRow[],
  by: { action: string; onFilled: OnBackordersFilled },
): Promise<RowOutcome[]> {
  const placed = await placeRows(tx, rows);
  const items = await findOrCreateItems(
    tx,
    placed.flatMap((row) => ('place' in row ? [row] : [])),
    by.onFilled,
  );
  const targets: CountedTarget[] = [];
  const finishers = placed.map(
    (row): ((outcomes: Awaited<ReturnType<typeof changeStocks>>) => RowOutcome) => {
      if ('errors' in row) return () => buildFailure(row.errors);
      const found = items.get(buildPlaceKey(row.place));
      // The item would have been created if any of its rows could apply to a count of 0.
      if (found === undefined) return () => buildFailure(findErrorsOnNothing(row));
      const at = targets.push({ ...row.target, ...row.place, stock_item_id: found.id }) - 1;
      return (outcomes) => {
        const outcome = outcomes[at];
        if (outcome === undefined) throw new Error('a row has no outcome');
        if ('errors' in outcome) return buildFailure(outcome.errors);
        return { status: outcome.isChanged || found.isNew ? 'changed' : 'unchanged', id: found.id };
      };
    },
  );
  const outcomes = await changeStocks(tx, targets, by);
  return finishers.map((finish) => finish(outcomes));
}

type ResolvedRow = PlacedRow | { errors: FieldErrors };

async function placeRows(tx: Tx, rows: readonly StockRow[]): Promise<ResolvedRow[]> {
  const findVariant = await findNamedVariants(tx, rows);
  const locations = await findLocationNames(tx);
  const byName = groupBy(locations, ({ name }) => name);
  const findLocation = (row: StockRow): number | FieldErrors => {
    const { stock_location: name, stock_location_id: id } = row;
    const named =
      name == null || name === '' ? locations.filter((one) => one.id === id) : (byName.get(name) ?? []);
    const chosen = named.length > 1 ? named.filter((one) => one.id === id) : named;
    const [location] = chosen;
    if (location !== undefined) return location.id;
    if (named.length > 1)
      return { stock_location: ['is ambiguous: several locations have this name; add stock_location_id'] };
    if (name != null && name !== '') return { stock_location: ['does not exist'] };
    // Without a location, the only one is meant.
    if (id == null && locations.length === 1 && locations[0] !== undefined) return locations[0].id;
    return id == null ? { stock_location: [BLANK] } : { stock_location_id: ['does not exist'] };
  };
  return rows.map((row) => {
    const variant = findVariant(row);
    const location = findLocation(row);
    const change = readChange(row);
    const errors: FieldErrors = {
      ...(variant === undefined && buildUnknownVariant(row)),
      ...(typeof location === 'object' && location),
      ...('errors' in change && change.errors),
    };
    if (variant === undefined || typeof location === 'object' || 'errors' in change) return { errors };
    const place = { stock_location_id: location, variant_id: variant.id };
    return { place, target: { change: change.change, backorderable: row.backorderable ?? undefined } };
  });
}

function readChange({
  count_on_hand,
  adjust,
  counted,
  backorderable,
}: StockRow): Pick<CountedTarget, 'change'> | { errors: FieldErrors } {
  if (counted != null && (count_on_hand != null || adjust != null))
    return { errors: { counted: ['cannot be combined with count_on_hand or adjust'] } };
  if (counted != null) return { change: { counted } };
  if (count_on_hand != null && adjust != null)
    return { errors: { adjust: ['cannot be combined with count_on_hand'] } };
  if (count_on_hand != null) return { change: { count: count_on_hand } };
  if (adjust != null) return { change: { adjust } };
  return backorderable == null ? { errors: { count_on_hand: [BLANK] } } : { change: null };
}

interface FoundItem {
  id: number;
  isNew: boolean;
}

/** Returns the stock items by place. Creates missing ones of which a row can apply. */
async function findOrCreateItems(
  tx: Tx,
  rows: readonly PlacedRow[],
  onFilled: OnBackordersFilled,
): Promise<ReadonlyMap<string, FoundItem>> {
  const existing = await findStockItemIdsAt(tx, rows.map(({ place }) => place)); // prettier-ignore
  const items = new Map<string, FoundItem>(
    existing.map((item) => [buildPlaceKey(item), { id: item.id, isNew: false }]),
  );
  const missing = groupBy(
    rows.filter(({ place }) => !items.has(buildPlaceKey(place))),
    ({ place }) => buildPlaceKey(place),
  );
  const places = [...missing.values()].flatMap((group) => {
    const applicable = group.filter((row) => Object.keys(findErrorsOnNothing(row)).length === 0);
    const [first] = applicable;
    return first === undefined
      ? []
      : [{ ...first.place, backorderable: first.target.backorderable ?? false }];
  });
  if (places.length > 0) await createItems(tx, places, { items, onFilled });
  return items;
}

/** Returns the errors of a row for a stock item that counts 0; empty if it can apply. */
function findErrorsOnNothing({ target }: PlacedRow): FieldErrors {
  const nothing = { count_on_hand: 0, backorderable: false, tracks_inventory: true };
  // What is committed to a place without a stock item is taken over once it has one.
  const change = target.change !== null && 'counted' in target.change ? null : target.change;
  const [outcome] = planStockTargets(new Map([[0, nothing]]), [
    { ...target, change, stock_item_id: 0 },
  ]).outcomes;
  return outcome !== undefined && 'errors' in outcome ? outcome.errors : {};
}

async function createItems(
  tx: Tx,
  places: readonly (StockPlace & { backorderable: boolean })[],
  { items, onFilled }: { items: Map<string, FoundItem>; onFilled: OnBackordersFilled },
): Promise<void> {
  const locations = [...new Set(places.map((place) => place.stock_location_id))].sort((a, b) => a - b);
  for (const id of locations) {
    if ((await lockStockLocationForUse(tx, id)) === undefined)
      throw new Restart('a stock location was deleted');
  }
  const owed = new Map<string, number>();
  for (const place of await findOwingPlaces(tx, places)) {
    owed.set(buildPlaceKey(place), await lockOwedUnits(tx, place));
  }
  // An item that takes over units falls below zero first, so it starts backorderable.
  const isOwing = (place: StockPlace) => (owed.get(buildPlaceKey(place)) ?? 0) > 0;
  const created = places.map((place) => ({ ...place, backorderable: place.backorderable || isOwing(place) }));
  const ids = await insertStockItems(tx, created);
  if (ids.length < created.length) throw new Restart('another transaction created the stock item');
  for (const [at, place] of places.entries()) {
    const id = ids[at];
    if (id === undefined) throw new Error('a stock item was not inserted');
    items.set(buildPlaceKey(place), { id, isNew: true });
    const units = owed.get(buildPlaceKey(place)) ?? 0;
    if (units === 0) continue;
    await takeOverOwedUnits(tx, { ...place, id }, units, onFilled);
    await updateBackorderable(tx, id, place.backorderable);
  }
}
