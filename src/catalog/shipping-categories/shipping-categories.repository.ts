import { Conflict } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { returnedRow } from '../../platform/database/returned-row';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, pageOf, type Page } from '../../platform/query-builder/page';
import { shippingCategorySearch } from './shipping-categories.search';

export interface ShippingCategoryRow {
  id: number;
  name: string;
}

const COLUMNS = ['shipping_categories.id', 'shipping_categories.name'] as const;

/**
 * The id of the shipping category of this exact name, made when missing; racing requests get the same one. It cannot be
 * deleted before the transaction ends.
 * @throws Conflict when it was deleted at this very moment
 */
export async function findOrCreateShippingCategory(tx: Tx, name: string): Promise<number> {
  await tx.raw(
    `INSERT INTO shipping_categories (name)
     SELECT :name WHERE NOT EXISTS (SELECT FROM shipping_categories WHERE name = :name)
     ON CONFLICT ON CONSTRAINT shipping_categories_name_unique DO NOTHING`,
    { name },
  );
  const { rows } = await tx.raw<{ rows: { id: number }[] }>(
    'SELECT id FROM shipping_categories WHERE name = ? FOR KEY SHARE',
    [name],
  );
  const [category] = rows;
  if (category === undefined) throw new Conflict(`shipping category ${name} is being deleted`);
  return category.id;
}

/** One page of shipping categories; two queries at most. */
export async function findShippingCategoryPage(db: Db, list: ListQuery): Promise<Page<ShippingCategoryRow>> {
  const matching = applyFilters(db('shipping_categories'), list, shippingCategorySearch);
  const rows = await applySortAndPage(
    matching.clone().select<ShippingCategoryRow[]>(COLUMNS),
    list,
    shippingCategorySearch,
  );
  return pageOf(rows, await countAll(matching, rows.length, list), list);
}

/** The shipping category of that id. */
export async function findShippingCategory(db: Db, id: number): Promise<ShippingCategoryRow | undefined> {
  return db('shipping_categories')
    .where({ id })
    .first<ShippingCategoryRow | undefined>([...COLUMNS]);
}

/** The same, and nobody can begin to name it before the transaction ends. */
export async function lockShippingCategory(tx: Tx, id: number): Promise<ShippingCategoryRow | undefined> {
  return tx('shipping_categories')
    .where({ id })
    .forUpdate()
    .first<ShippingCategoryRow | undefined>([...COLUMNS]);
}

/** @throws shipping_categories_name_unique when the name is taken */
export async function insertShippingCategory(tx: Tx, name: string): Promise<ShippingCategoryRow> {
  const rows = await tx('shipping_categories')
    .insert({ name })
    .returning<ShippingCategoryRow[]>([...COLUMNS]);
  return returnedRow(rows);
}

/** @throws shipping_categories_name_unique when the name is taken */
export async function updateShippingCategory(
  tx: Tx,
  id: number,
  patch: Partial<Omit<ShippingCategoryRow, 'id'>>,
): Promise<void> {
  if (Object.keys(patch).length > 0) await tx('shipping_categories').where({ id }).update(patch);
}

/** Whether any product ships by it; deleted ones count, as orders still show them. */
export async function hasProducts(db: Db, id: number): Promise<boolean> {
  const product = await db('products')
    .where({ shipping_category_id: id })
    .first<{ id: number } | undefined>('id');
  return product !== undefined;
}

/** Takes it from the shipping methods that carried it. */
export async function deleteShippingCategory(tx: Tx, id: number): Promise<void> {
  await tx('shipping_categories').where({ id }).delete();
}
