import type { Db } from '../../platform/database/knex';
import { returnedRow } from '../../platform/database/returned-row';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters } from '../../platform/query-builder/apply-search';
import { findIdPage } from '../../platform/query-builder/id-page';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import type { CalculatorType, StoredPreferences } from '../fulfilment/calculators';
import { shippingMethodSearch } from './shipping-methods.search';

/** The columns an owner sets; what a method reaches and carries stands in tables of its own. */
export interface ShippingMethodValues {
  name: string;
  code: string | null;
  admin_name: string | null;
  tracking_url: string | null;
  display_on: 'both' | 'back_end';
  tax_category_id: number | null;
  calculator_type: CalculatorType;
  calculator_preferences: StoredPreferences;
}

/** Those that were not deleted. */
const live = (db: Db) => db('shipping_methods').whereNull('shipping_methods.deleted_at');

/** Ids of one page, and the total. One statement. */
export async function findShippingMethodPage(db: Db, list: ListQuery): Promise<Page<number>> {
  return findIdPage(db, applyFilters(live(db), list, shippingMethodSearch), list, shippingMethodSearch);
}

/** Makes other changes of the method wait. @returns false when there is none, or it was deleted */
export async function lockShippingMethod(tx: Tx, id: number): Promise<boolean> {
  const row = await live(tx).where({ id }).forUpdate().first<{ id: number } | undefined>('id');
  return row !== undefined;
}

/** @returns the new id */
export async function insertShippingMethod(tx: Tx, method: ShippingMethodValues): Promise<number> {
  const rows = await tx('shipping_methods').insert(withJson(method)).returning<{ id: number }[]>('id');
  return returnedRow(rows).id;
}

/** Expects the method locked. */
export async function updateShippingMethod(
  tx: Tx,
  id: number,
  patch: Partial<ShippingMethodValues>,
): Promise<void> {
  if (Object.keys(patch).length > 0) await tx('shipping_methods').where({ id }).update(withJson(patch));
}

function withJson({ calculator_preferences, ...columns }: Partial<ShippingMethodValues>) {
  return {
    ...columns,
    ...(calculator_preferences !== undefined && {
      calculator_preferences: JSON.stringify(calculator_preferences),
    }),
  };
}

/** @throws shipping_method_zones_zone_fkey when one of them does not exist */
export async function replaceZones(tx: Tx, id: number, zoneIds: readonly number[]): Promise<void> {
  await tx('shipping_method_zones').where({ shipping_method_id: id }).delete();
  if (zoneIds.length > 0) {
    await tx('shipping_method_zones').insert(zoneIds.map((zone_id) => ({ shipping_method_id: id, zone_id })));
  }
}

/** @throws shipping_method_categories_category_fkey when one of them does not exist */
export async function replaceShippingCategories(
  tx: Tx,
  id: number,
  categoryIds: readonly number[],
): Promise<void> {
  await tx('shipping_method_categories').where({ shipping_method_id: id }).delete();
  if (categoryIds.length > 0) {
    await tx('shipping_method_categories').insert(
      categoryIds.map((shipping_category_id) => ({ shipping_method_id: id, shipping_category_id })),
    );
  }
}

/** The row stays with zones and categories: shipments still show how they went. */
export async function markShippingMethodDeleted(tx: Tx, id: number, at: Date): Promise<number> {
  return live(tx).where({ id }).update({ deleted_at: at });
}
