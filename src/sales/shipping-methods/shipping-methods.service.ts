import type { LockedId } from '../../platform/database/locked';
import { requireTaxCategory } from '../../catalog/tax-categories/tax-categories.service';
import type { Ctx } from '../context';
import { BLANK, INVALID, InvalidResource, NotFound } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { isWebAddress } from '../../platform/web-address';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { prefixErrors } from '../../platform/nested-errors';
import type { ChangesOf } from '../../platform/resource/definition';
import type { UseCasesOf } from '../../platform/resource/use-cases';
import { buildCalculator, type CalculatorType, type StoredPreferences } from '../fulfilment/calculators';
import { findShippingMethods, type ShippingMethodGraph } from '../fulfilment/shipping-method-graph';
import { ShippingMethod } from './shipping-methods.definition';
import {
  findShippingMethodPage,
  insertShippingMethod,
  replaceShippingCategories,
  replaceZones,
  shippingMethodRecords,
  updateShippingMethod,
} from './shipping-methods.repository';

type ShippingMethodChanges = ChangesOf<typeof ShippingMethod>;

/** A shipping method with the preferences that its calculator reads. */
export type ShippingMethodSettings = ShippingMethodGraph & { calculator_preferences: StoredPreferences };

export const shippingMethods: UseCasesOf<Ctx, typeof ShippingMethod, ShippingMethodSettings> = {
  /** Two statements for any length of the list. */
  list: async (ctx, list) => {
    const page = await findShippingMethodPage(ctx.db, list);
    const methods = await findShippingMethods(ctx.db, page.rows);
    const found = page.rows.flatMap((id) => methods.get(id) ?? []);
    return { ...page, rows: found.map(buildSettings) };
  },

  get: (ctx, id) => getShippingMethod(ctx.db, id),

  /**
   * Creates a method, which checkouts offer at once.
   * @throws InvalidResource if the calculator rejects the preferences
   */
  create: (ctx, attributes) =>
    withTransaction(ctx, async (tx) => {
      await requireTaxCategory(tx, attributes.tax_category_id);
      const { calculator_type } = attributes;
      const tracking_url = readWebAddress(attributes.tracking_url);
      const created = await insertShippingMethod(tx, {
        ...ShippingMethod.newValues({ ...attributes, tracking_url }),
        calculator_preferences: readPreferences(calculator_type, attributes.calculator_preferences ?? {}),
      });
      await replaceReach(tx, created, attributes);
      return getShippingMethod(tx, created.id);
    }),

  /**
   * Updates a method and locks it. Omitted preferences stay unchanged if the calculator has them; given zones and
   * categories replace the existing ones. Existing shipping rates keep their cost.
   */
  update: (ctx, id, changes) =>
    withTransaction(ctx, async (tx) => {
      const locked = await shippingMethodRecords.lock(tx, id);
      const method = await getShippingMethod(tx, id);
      await requireTaxCategory(tx, changes.tax_category_id);
      const calculator_type = changes.calculator_type ?? method.calculator_type;
      const calculator_preferences = readPreferences(calculator_type, {
        ...method.calculator_preferences,
        ...changes.calculator_preferences,
      });
      const tracking_url = readWebAddress(changes.tracking_url);
      await updateShippingMethod(tx, locked, {
        ...ShippingMethod.changedValues({ ...changes, tracking_url }),
        calculator_preferences,
      });
      await replaceReach(tx, locked, changes);
      return getShippingMethod(tx, id);
    }),

  /** Soft-deletes a method. It is no longer offered; its shipments still show it. */
  delete: (ctx, id) => withTransaction(ctx, (tx) => shippingMethodRecords.delete(tx, id, ctx.now())),
};

async function getShippingMethod(db: Db, id: number): Promise<ShippingMethodSettings> {
  const method = (await findShippingMethods(db, [id])).get(id);
  if (method === undefined || method.is_deleted) throw new NotFound();
  return buildSettings(method);
}

/** Reads the stored preferences. Invalid ones, which only imported rows have, are omitted. */
function buildSettings(method: ShippingMethodGraph): ShippingMethodSettings {
  const calculator = buildCalculator(method.calculator_type, method.calculator_preferences);
  return { ...method, calculator_preferences: 'errors' in calculator ? {} : calculator.preferences };
}

/**
 * Replaces the given zones and categories. A method without zones is not offered anywhere. One without categories could
 * not ship anything, so it is refused.
 */
async function replaceReach(
  tx: Tx,
  method: LockedId,
  { zone_ids, shipping_category_ids }: Pick<ShippingMethodChanges, 'zone_ids' | 'shipping_category_ids'>,
): Promise<void> {
  if (zone_ids !== undefined) await replaceZones(tx, method, zone_ids ?? []);
  if (shipping_category_ids === undefined) return;
  if (shipping_category_ids.length === 0) throw new InvalidResource({ shipping_category_ids: [BLANK] });
  await replaceShippingCategories(tx, method, shipping_category_ids);
}

/** Returns the preferences as they are stored. @throws InvalidResource `calculator_preferences.<name>` */
function readPreferences(type: CalculatorType, given: object): StoredPreferences {
  const calculator = buildCalculator(type, given);
  if (!('errors' in calculator)) return calculator.preferences;
  throw new InvalidResource(prefixErrors('calculator_preferences', calculator.errors));
}

/** Checks a URL. @throws InvalidResource */
function readWebAddress(url: string | null | undefined): string | null | undefined {
  if (url == null || url === '') return url === '' ? null : url;
  if (!isWebAddress(url)) throw new InvalidResource({ tracking_url: [INVALID] });
  return url;
}
