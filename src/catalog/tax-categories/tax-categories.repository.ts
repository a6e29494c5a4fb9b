import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { createRecords } from '../../platform/resource/records';
import { TaxCategory } from './tax-categories.definition';

export const taxCategoryRecords = createRecords(TaxCategory);

/** Blocks other writers of tax categories until the transaction ends, so that the default can be replaced. */
export async function lockTaxCategories(tx: Tx): Promise<void> {
  await tx.raw('LOCK TABLE tax_categories IN SHARE ROW EXCLUSIVE MODE');
}

/** Leaves no default category. */
export async function clearDefaultTaxCategory(tx: Tx): Promise<void> {
  await tx('tax_categories').where({ is_default: true }).update({ is_default: false });
}

/**
 * Returns whether a product, variant, shipping method or tax rate references the category; deleted ones are ignored.
 */
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
