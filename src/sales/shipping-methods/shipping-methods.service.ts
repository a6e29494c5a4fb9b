import { requireTaxCategory } from '../../catalog/tax-categories/tax-categories.service';
import type { Ctx } from '../context';
import { BLANK, INVALID, InvalidResource, NotFound } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { defined } from '../../platform/defined';
import { prefixed } from '../../platform/nested-errors';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { buildCalculator, type CalculatorType, type StoredPreferences } from '../fulfilment/calculators';
import { findShippingMethods, type ShippingMethodGraph } from '../fulfilment/shipping-method-graph';
import {
  findShippingMethodPage,
  insertShippingMethod,
  lockShippingMethod,
  markShippingMethodDeleted,
  replaceShippingCategories,
  replaceZones,
  updateShippingMethod,
} from './shipping-methods.repository';
import type { ShippingMethodAttributes, ShippingMethodChanges } from './shipping-methods.schema';

/** A method with the preferences its calculator reads. */
export type ShippingMethodSettings = ShippingMethodGraph & { calculator_preferences: StoredPreferences };

/** Two statements, whatever the length of the list. */
export async function listShippingMethods(ctx: Ctx, list: ListQuery): Promise<Page<ShippingMethodSettings>> {
  const page = await findShippingMethodPage(ctx.db, list);
  const methods = await findShippingMethods(ctx.db, page.rows);
  return {
    ...page,
    rows: page.rows.flatMap((id) => {
      const method = methods.get(id);
      return method === undefined ? [] : [settingsOf(method)];
    }),
  };
}

/** @throws NotFound also when it was deleted */
export async function getShippingMethod(ctx: Ctx, id: number): Promise<ShippingMethodSettings> {
  return mustFind(ctx.db, id);
}

async function mustFind(db: Db, id: number): Promise<ShippingMethodSettings> {
  const method = (await findShippingMethods(db, [id])).get(id);
  if (method === undefined || method.is_deleted) throw new NotFound();
  return settingsOf(method);
}

/** What the calculator cannot read, which only rows from elsewhere hold, it does not have. */
function settingsOf(method: ShippingMethodGraph): ShippingMethodSettings {
  const calculator = buildCalculator(method.calculator_type, method.calculator_preferences);
  return { ...method, calculator_preferences: 'errors' in calculator ? {} : calculator.preferences };
}

/**
 * Makes a way to ship; checkouts offer it at once.
 * @throws InvalidResource when its calculator cannot read the preferences, or something it names does not exist
 */
export async function createShippingMethod(
  ctx: Ctx,
  attributes: ShippingMethodAttributes,
): Promise<ShippingMethodSettings> {
  const { name, calculator_type, code = null, admin_name = null, tax_category_id = null } = attributes;
  return withTransaction(ctx, async (tx) => {
    await requireTaxCategory(tx, tax_category_id);
    const id = await insertShippingMethod(tx, {
      ...{ name, code, admin_name, tax_category_id, calculator_type },
      tracking_url: webAddress(attributes.tracking_url) ?? null,
      display_on: attributes.display_on ?? 'both',
      calculator_preferences: readPreferences(calculator_type, attributes.calculator_preferences ?? {}),
    });
    await setReach(tx, id, attributes);
    return mustFind(tx, id);
  });
}

/**
 * Changes a way to ship. Preferences left out stay as they are, as far as the calculator knows them; zones and
 * categories that are sent replace those it has. Rates already offered keep their cost. Locks the method.
 * @throws NotFound; InvalidResource as `createShippingMethod`
 */
export async function changeShippingMethod(
  ctx: Ctx,
  id: number,
  changes: ShippingMethodChanges,
): Promise<ShippingMethodSettings> {
  const { name, code, admin_name, tax_category_id } = changes;
  return withTransaction(ctx, async (tx) => {
    if (!(await lockShippingMethod(tx, id))) throw new NotFound();
    const method = await mustFind(tx, id);
    await requireTaxCategory(tx, tax_category_id);
    const calculator_type = changes.calculator_type ?? method.calculator_type;
    const calculator_preferences = readPreferences(calculator_type, {
      ...method.calculator_preferences,
      ...changes.calculator_preferences,
    });
    await updateShippingMethod(tx, id, {
      ...defined({ name, code, admin_name, tax_category_id }),
      ...defined({ tracking_url: webAddress(changes.tracking_url) }),
      ...defined({ display_on: changes.display_on ?? undefined }),
      ...{ calculator_type, calculator_preferences },
    });
    await setReach(tx, id, changes);
    return mustFind(tx, id);
  });
}

/** No longer offered from now on; shipments that went by it still show it. @throws NotFound */
export async function removeShippingMethod(ctx: Ctx, id: number): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    if ((await markShippingMethodDeleted(tx, id, ctx.now())) === 0) throw new NotFound();
  });
}

/** Where it ships, and what. A method without zones is offered nowhere; one without categories could carry nothing. */
async function setReach(
  tx: Tx,
  id: number,
  { zone_ids, shipping_category_ids }: Pick<ShippingMethodChanges, 'zone_ids' | 'shipping_category_ids'>,
): Promise<void> {
  if (zone_ids !== undefined) await replaceZones(tx, id, zone_ids ?? []);
  if (shipping_category_ids === undefined) return;
  if (shipping_category_ids.length === 0) throw new InvalidResource({ shipping_category_ids: [BLANK] });
  await replaceShippingCategories(tx, id, shipping_category_ids);
}

/** The preferences as they are stored. @throws InvalidResource under `calculator_preferences.<name>` */
function readPreferences(type: CalculatorType, given: object): StoredPreferences {
  const calculator = buildCalculator(type, given);
  if (!('errors' in calculator)) return calculator.preferences;
  throw new InvalidResource(prefixed('calculator_preferences', calculator.errors));
}

/** Storefronts make links of it: nothing but the web may come of them. @throws InvalidResource */
function webAddress(url: string | null | undefined): string | null | undefined {
  if (url == null || url === '') return url === '' ? null : url;
  if (!/^https?:\/\/\S+$/i.test(url)) throw new InvalidResource({ tracking_url: [INVALID] });
  return url;
}
