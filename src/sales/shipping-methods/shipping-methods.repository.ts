import { markAsLocked, type LockedId } from '../../platform/database/locked';
import type { Db } from '../../platform/database/knex';
import { requireRow } from '../../platform/database/require-row';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters } from '../../platform/query-builder/apply-search';
import { findIdPage } from '../../platform/query-builder/id-page';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import type { ValuesOf } from '../../platform/resource/definition';
import { createRecords } from '../../platform/resource/records';
import type { StoredPreferences } from '../fulfilment/calculators';
import { ShippingMethod } from './shipping-methods.definition';

/** Deleted rows keep their zones and categories, because shipments still show them. */
export const shippingMethodRecords = createRecords(ShippingMethod);

/** The columns to write, with the preferences. Zones and categories have their own tables. */
type Written = ValuesOf<typeof ShippingMethod> & { calculator_preferences: StoredPreferences };

/** Returns the ids of one page of shipping methods. One statement. */
export async function findShippingMethodPage(db: Db, list: ListQuery): Promise<Page<number>> {
  const notDeleted = db('shipping_methods').whereNull('shipping_methods.deleted_at');
  return findIdPage(db, applyFilters(notDeleted, list, ShippingMethod.search), list, ShippingMethod.search);
}

/** Inserts a shipping method. @returns its id, locked because no other transaction can see it yet */
export async function insertShippingMethod(tx: Tx, method: Written): Promise<LockedId> {
  const rows = await tx('shipping_methods')
    .insert(serializePreferences(method))
    .returning<{ id: number }[]>('id');
  return markAsLocked(requireRow(rows));
}

/** Writes the given columns of a method. */
export async function updateShippingMethod(tx: Tx, { id }: LockedId, patch: Partial<Written>): Promise<void> {
  if (Object.keys(patch).length > 0)
    await tx('shipping_methods').where({ id }).update(serializePreferences(patch));
}

function serializePreferences({ calculator_preferences, ...columns }: Partial<Written>) {
  return {
    ...columns,
    ...(calculator_preferences !== undefined && {
      calculator_preferences: JSON.stringify(calculator_preferences),
    }),
  };
}

/** Replaces the zones of a method. @throws shipping_method_zones_zone_fkey if a zone does not exist */
export async function replaceZones(tx: Tx, { id }: LockedId, zoneIds: readonly number[]): Promise<void> {
  await tx('shipping_method_zones').where({ shipping_method_id: id }).delete();
  if (zoneIds.length > 0) {
    await tx('shipping_method_zones').insert(zoneIds.map((zone_id) => ({ shipping_method_id: id, zone_id })));
  }
}

/**
 * Replaces the categories of a method.
 * @throws shipping_method_categories_category_fkey if a category does not exist
 */
export async function replaceShippingCategories(
  tx: Tx,
  { id }: LockedId,
  categoryIds: readonly number[],
): Promise<void> {
  await tx('shipping_method_categories').where({ shipping_method_id: id }).delete();
  if (categoryIds.length > 0) {
    await tx('shipping_method_categories').insert(
      categoryIds.map((shipping_category_id) => ({ shipping_method_id: id, shipping_category_id })),
    );
  }
}
