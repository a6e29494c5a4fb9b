import type { Ctx } from '../context';
import { INVALID, InvalidResource, requireFound } from '../../platform/errors';
import { resolvePlaces } from '../../geography/addresses/resolve-places';
import { stateRecords } from '../../geography/countries/states.repository';
import type { Db } from '../../platform/database/knex';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { omitUndefined } from '../../platform/omit-undefined';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { findUserId } from '../../access/actor';
import { removeStock } from '../item-stock';
import { insertStockItemsAt } from './location-items.repository';
import {
  clearDefaultLocation,
  findStockLocation,
  findStockLocationPage,
  hasUnshippedShipments,
  insertStockLocation,
  lockStockLocation,
  markStockLocationDeleted,
  updateStockLocation,
  type StockLocationGraph,
  type StockLocationRow,
  type StockLocationValues,
} from './stock-locations.repository';
import type { StockLocationAttributes, StockLocationChanges } from './stock-locations.schema';

/** Returns one page of the stock locations that are not deleted. */
export async function listStockLocations(ctx: Ctx, list: ListQuery): Promise<Page<StockLocationGraph>> {
  return findStockLocationPage(ctx.db, list);
}

/** Returns a stock location. @throws NotFound also if it is deleted */
export async function getStockLocation(ctx: Ctx, id: number): Promise<StockLocationGraph> {
  return getStockLocationGraph(ctx.db, id);
}

/** Returns a stock location, for use inside another use case. @throws NotFound also if it is deleted */
export async function getStockLocationGraph(db: Db, id: number): Promise<StockLocationGraph> {
  return requireFound(await findStockLocation(db, id));
}

/**
 * Creates a stock location, with an empty stock item for every variant unless `propagate_all_variants` is false.
 * @throws InvalidResource if the country or state does not exist, or the state is not in the country
 */
export async function createStockLocation(
  ctx: Ctx,
  attributes: StockLocationAttributes,
): Promise<StockLocationGraph> {
  return withTransaction(ctx, async (tx) => {
    const values = { ...buildValues(await findPlaces(tx, attributes, null)), name: attributes.name };
    if (values.is_default === true) await clearDefaultLocation(tx);
    await refuseForeignState(tx, values);
    const location = await getStockLocationGraph(tx, await insertStockLocation(tx, values));
    if (location.propagate_all_variants) await insertStockItemsAt(tx, location);
    return location;
  });
}

/**
 * Updates a stock location. `backorderable_default` and `propagate_all_variants` apply to new stock items only.
 * @throws NotFound; InvalidResource as `createStockLocation`
 */
export async function changeStockLocation(
  ctx: Ctx,
  id: number,
  changes: StockLocationChanges,
): Promise<StockLocationGraph> {
  return withTransaction(ctx, async (tx) => {
    if (changes.default === true) await clearDefaultLocation(tx);
    const location = await lockLocation(tx, id);
    const values = buildValues(await findPlaces(tx, changes, location.country_id));
    await updateStockLocation(tx, id, await resolveState(tx, location, values));
    return getStockLocationGraph(tx, id);
  });
}

/**
 * Soft-deletes a stock location and its stock items, with movements of what they held. Shipments still show its name.
 * Locks the location, then its stock items by id.
 * @throws NotFound; InvalidResource if it has unshipped shipments of orders that are complete or being completed
 */
export async function removeStockLocation(ctx: Ctx, id: number): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    await lockLocation(tx, id);
    const by = { user_id: findUserId(ctx.actor), now: ctx.now() };
    await removeStock(tx, { stock_location_id: id }, by);
    // Checked after the items are locked: an order that completes now waits for them and then finds them deleted.
    if (await hasUnshippedShipments(tx, id)) {
      throw new InvalidResource({
        base: ['Unshipped shipments of completed orders leave from this location'],
      });
    }
    await markStockLocationDeleted(tx, id, ctx.now());
  });
}

async function lockLocation(tx: Tx, id: number): Promise<StockLocationRow> {
  return requireFound(await lockStockLocation(tx, id));
}

type FoundPlaces<A> = Omit<A, 'country_id' | 'state_id'> & {
  country_id?: number | null;
  state_id?: number | null;
};

/** Returns the attributes with the ids of country and state. @throws InvalidResource for unknown codes and names */
async function findPlaces<A extends StockLocationChanges>(
  tx: Tx,
  attributes: A,
  countryId: number | null,
): Promise<FoundPlaces<A>> {
  const resolved = await resolvePlaces(tx, attributes, countryId);
  if ('errors' in resolved) throw new InvalidResource(resolved.errors);
  return resolved.attributes;
}

/** Builds the columns to write. Null leaves a boolean unchanged. */
function buildValues({ name, ...attributes }: FoundPlaces<StockLocationChanges>): StockLocationValues {
  const { default: is_default, active, backorderable_default, propagate_all_variants, ...text } = attributes;
  return {
    ...omitUndefined({ name, ...text }),
    ...(is_default != null && { is_default }),
    ...(active != null && { active }),
    ...(backorderable_default != null && { backorderable_default }),
    ...(propagate_all_variants != null && { propagate_all_variants }),
  };
}

/** Checks the state given by the request. A state stored before is cleared if the location moves to another country. */
async function resolveState(
  tx: Tx,
  location: StockLocationRow,
  values: StockLocationValues,
): Promise<StockLocationValues> {
  const { country_id = location.country_id, state_id = location.state_id } = values;
  if (values.state_id !== undefined) await refuseForeignState(tx, { country_id, state_id });
  else if (!(await isStateInCountry(tx, { country_id, state_id }))) return { ...values, state_id: null };
  return values;
}

async function refuseForeignState(tx: Tx, place: StockLocationValues): Promise<void> {
  if (!(await isStateInCountry(tx, place))) throw new InvalidResource({ state: [INVALID] });
}

async function isStateInCountry(tx: Tx, { country_id, state_id }: StockLocationValues): Promise<boolean> {
  if (state_id == null) return true;
  const state = await stateRecords.find(tx, state_id);
  return state !== undefined && (country_id == null || state.country_id === country_id);
}
