import type { Tx } from '../../platform/database/transaction';

/** The id of the shipping category of this exact name, made when missing. Racing requests get the same one. */
export async function findOrCreateShippingCategory(tx: Tx, name: string): Promise<number> {
  const { rows } = await tx.raw<{ rows: { id: number }[] }>(
    `INSERT INTO shipping_categories (name) VALUES (?)
     ON CONFLICT ON CONSTRAINT shipping_categories_name_unique DO UPDATE SET name = EXCLUDED.name
     RETURNING id`,
    [name],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('upsert returned no row');
  return row.id;
}
