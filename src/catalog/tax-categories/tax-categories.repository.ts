import type { Db } from '../../platform/database/knex';
import { returnedRow } from '../../platform/database/returned-row';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, pageOf, type Page } from '../../platform/query-builder/page';
import { taxCategorySearch } from './tax-categories.search';

export interface TaxCategoryRow {
  id: number;
  name: string;
  description: string | null;
  tax_code: string | null;
  is_default: boolean;
}

const COLUMNS = [
  'tax_categories.id',
  'tax_categories.name',
  'tax_categories.description',
  'tax_categories.tax_code',
  'tax_categories.is_default',
] as const;

/** Those that were not deleted. */
const live = (db: Db) => db('tax_categories').whereNull('tax_categories.deleted_at');

/** One page of the tax categories that were not deleted; two queries at most. */
export async function findTaxCategoryPage(db: Db, list: ListQuery): Promise<Page<TaxCategoryRow>> {
  const matching = applyFilters(live(db), list, taxCategorySearch);
  const rows = await applySortAndPage(
    matching.clone().select<TaxCategoryRow[]>(COLUMNS),
    list,
    taxCategorySearch,
  );
  return pageOf(rows, await countAll(matching, rows.length, list), list);
}

/** The tax category of that id, unless it was deleted. */
export async function findTaxCategory(db: Db, id: number): Promise<TaxCategoryRow | undefined> {
  return live(db).where({ id }).first<TaxCategoryRow | undefined>(COLUMNS);
}

/** The same, and keeps it from being deleted before the transaction ends. */
export async function holdTaxCategory(tx: Tx, id: number): Promise<TaxCategoryRow | undefined> {
  return live(tx)
    .where({ id })
    .forKeyShare()
    .first<TaxCategoryRow | undefined>([...COLUMNS]);
}

/** The same, and nobody can begin to name it before the transaction ends. */
export async function lockTaxCategory(tx: Tx, id: number): Promise<TaxCategoryRow | undefined> {
  return live(tx)
    .where({ id })
    .forUpdate()
    .first<TaxCategoryRow | undefined>([...COLUMNS]);
}

/** Keeps others from writing categories until the transaction ends; only then can one take over being the default. */
export async function lockTaxCategories(tx: Tx): Promise<void> {
  await tx.raw('LOCK TABLE tax_categories IN SHARE ROW EXCLUSIVE MODE');
}

/** Leaves no default category: whoever calls it makes another one in the same transaction. */
export async function clearDefaultTaxCategory(tx: Tx): Promise<void> {
  await tx('tax_categories').where({ is_default: true }).update({ is_default: false });
}

/** @returns the new id @throws tax_categories_name_unique */
export async function insertTaxCategory(tx: Tx, category: Omit<TaxCategoryRow, 'id'>): Promise<number> {
  const rows = await tx('tax_categories').insert(category).returning<{ id: number }[]>('id');
  return returnedRow(rows).id;
}

/** @throws tax_categories_name_unique */
export async function updateTaxCategory(
  tx: Tx,
  id: number,
  patch: Partial<Omit<TaxCategoryRow, 'id'>>,
): Promise<void> {
  if (Object.keys(patch).length > 0) await tx('tax_categories').where({ id }).update(patch);
}

/** Whether goods that are not deleted, shipping methods or tax rates name it. One statement. */
export async function isTaxCategoryInUse(db: Db, id: number): Promise<boolean> {
  const found = await db.raw<{ rows: { in_use: boolean }[] }>(
    `SELECT EXISTS (SELECT FROM products WHERE tax_category_id = :id AND deleted_at IS NULL)
         OR EXISTS (SELECT FROM variants WHERE tax_category_id = :id AND deleted_at IS NULL)
         OR EXISTS (SELECT FROM shipping_methods WHERE tax_category_id = :id AND deleted_at IS NULL)
         OR EXISTS (SELECT FROM tax_rates WHERE tax_category_id = :id AND deleted_at IS NULL) AS in_use`,
    { id },
  );
  return found.rows[0]?.in_use ?? true;
}

/** The row stays for the deleted goods and rates that name it. */
export async function markTaxCategoryDeleted(tx: Tx, id: number, at: Date): Promise<void> {
  await tx('tax_categories').where({ id }).update({ deleted_at: at, is_default: false });
}
