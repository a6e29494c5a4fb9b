import type { Db } from '../../platform/database/knex';

/** Loads the SKUs of these variants, by variant id. One statement. */
export async function loadSkus(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db('variants').whereIn('id', ids).select<{ id: number; sku: string }[]>('id', 'sku');
  return new Map(rows.map(({ id, sku }) => [id, sku]));
}
