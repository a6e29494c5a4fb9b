import type { Db } from '../../platform/database/knex';

/** Loads the SKUs of the variants of these records, by variant id. One statement. */
export async function loadSkus(
  db: Db,
  records: readonly { variant_id: number }[],
): Promise<Map<number, string>> {
  const ids = records.map(({ variant_id }) => variant_id);
  const rows = await db('variants').whereIn('id', ids).select<{ id: number; sku: string }[]>('id', 'sku');
  return new Map(rows.map(({ id, sku }) => [id, sku]));
}
