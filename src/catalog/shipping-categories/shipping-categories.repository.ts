import { Conflict } from '../../errors';
import type { Tx } from '../../platform/database/transaction';

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
