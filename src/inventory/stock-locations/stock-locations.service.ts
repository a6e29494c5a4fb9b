import type { Ctx } from '../context';
import { INVALID, InvalidResource, NotFound } from '../../platform/errors';
import { findState } from '../../geography/states/states.repository';
import type { Db } from '../../platform/database/knex';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { omitUndefined } from '../../platform/omit-undefined';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { deleteStockItemsAt, insertStockItemsAt } from '../stock-items/location-items.repository';
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

/** One page of the locations that are not deleted. */
export async function listStockLocations(ctx: Ctx, list: ListQuery): Promise<Page<StockLocationGraph>> {
  return findStockLocationPage(ctx.db, list);
}

/** @throws NotFound also when it was deleted */
export async function getStockLocation(ctx: Ctx, id: number): Promise<StockLocationGraph> {
  return getStockLocationGraph(ctx.db, id);
}

/** The same for steps of other use cases. @throws NotFound */
export async function getStockLocationGraph(db: Db, id: number): Promise<StockLocationGraph> {
  const location = await findStockLocation(db, id);
  if (location === undefined) throw new NotFound();
  return location;
}

/**
 * Opens a location. Unless told otherwise every variant gets an empty stock item there (behaviour 6.1).
 * @throws InvalidResource when country or state do not exist or do not fit
 */
export async function createStockLocation(
  ctx: Ctx,
  attributes: StockLocationAttributes,
): Promise<StockLocationGraph> {
  return withTransaction(ctx, async (tx) => {
    const values = { ...buildValues(attributes), name: attributes.name };
    if (values.is_default === true) await clearDefaultLocation(tx);
    await refuseForeignState(tx, values);
    const location = await getStockLocationGraph(tx, await insertStockLocation(tx, values));
    if (location.propagate_all_variants) await insertStockItemsAt(tx, location);
    return location;
  });
}

/**
 * Changes a location; what becomes its default settings concerns new stock items only.
 * @throws NotFound; InvalidResource as `createStockLocation`
 */
export async function changeStockLocation(
  ctx: Ctx,
  id: number,
  changes: StockLocationChanges,
): Promise<StockLocationGraph> {
  return withTransaction(ctx, async (tx) => {
    const values = buildValues(changes);
    if (values.is_default === true) await clearDefaultLocation(tx);
    const location = await lockLocation(tx, id);
    await updateStockLocation(tx, id, await resolveState(tx, location, values));
    return getStockLocationGraph(tx, id);
  });
}

/**
 * Closes a location and deletes its stock items; shipments go on showing its name (behaviour 6.1, 4).
 * Locks the location, then its stock items by id.
 * @throws NotFound; InvalidResource while goods of a completed order have yet to leave from it
 */
export async function removeStockLocation(ctx: Ctx, id: number): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    await lockLocation(tx, id);
    await deleteStockItemsAt(tx, id, ctx.now());
    // After the items are locked: an order that completes now waits for them and then finds them gone.
    if (await hasUnshippedShipments(tx, id)) {
      throw new InvalidResource({
        base: ['Unshipped shipments of completed orders leave from this location'],
      });
    }
    await markStockLocationDeleted(tx, id, ctx.now());
  });
}

async function lockLocation(tx: Tx, id: number): Promise<StockLocationRow> {
  const location = await lockStockLocation(tx, id);
  if (location === undefined) throw new NotFound();
  return location;
}

/** The columns a request names. A switch cannot be cleared, so null leaves it. */
function buildValues({ name, ...attributes }: StockLocationChanges): StockLocationValues {
  const { default: is_default, active, backorderable_default, propagate_all_variants, ...text } = attributes;
  return {
    ...omitUndefined({ name, ...text }),
    ...(is_default != null && { is_default }),
    ...(active != null && { active }),
    ...(backorderable_default != null && { backorderable_default }),
    ...(propagate_all_variants != null && { propagate_all_variants }),
  };
}

/** A state the request names must fit; one that was there before goes when the location moves to another country. */
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
  const state = await findState(tx, state_id);
  return state !== undefined && (country_id == null || state.country_id === country_id);
}
