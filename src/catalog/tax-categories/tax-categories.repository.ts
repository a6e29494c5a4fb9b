import type { Db } from '../../platform/database/knex';
import { createRecords } from '../../platform/resource/records';
import { createSingleDefault } from '../../platform/resource/single-default';
import { TaxCategory } from './tax-categories.definition';

export const taxCategoryRecords = createRecords(TaxCategory);

export const defaultTaxCategory = createSingleDefault('tax_categories', 'is_default');

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
