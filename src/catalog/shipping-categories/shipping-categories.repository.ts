import { Conflict } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { createRecords } from '../../platform/resource/records';
import { ShippingCategory } from './shipping-categories.definition';

/** Deleting one removes it from the shipping methods that carried it. */
export const shippingCategoryRecords = createRecords(ShippingCategory);

/**
 * The id of the shipping category of this exact name, created when missing; concurrent requests get the same one. It
 * cannot be deleted before the transaction ends.
 * @throws Conflict when it is being deleted at the same time
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

/** Whether any product belongs to it; deleted ones count, as orders still show them. */
export async function hasProducts(db: Db, id: number): Promise<boolean> {
  const product = await db('products')
    .where({ shipping_category_id: id })
    .first<{ id: number } | undefined>('id');
  return product !== undefined;
}
