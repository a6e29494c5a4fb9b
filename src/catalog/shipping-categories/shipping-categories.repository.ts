import { hasRow } from '../../platform/database/has-row';
import { Conflict } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { createRecords } from '../../platform/resource/records';
import { ShippingCategory } from './shipping-categories.definition';

/** Deleting a shipping category removes it from its shipping methods. */
export const shippingCategoryRecords = createRecords(ShippingCategory);

/**
 * Returns the id of the shipping category with this exact name, and creates it if it is missing. Concurrent requests
 * get the same one. It cannot be deleted before the transaction ends.
 * @throws Conflict if it is being deleted concurrently
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

/** Returns whether any product belongs to the category. Deleted products count, because orders still show them. */
export async function hasProducts(db: Db, id: number): Promise<boolean> {
  return hasRow(db('products').where({ shipping_category_id: id }).select('id'));
}
