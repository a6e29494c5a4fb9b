import type { Db } from '../platform/database/knex';
import {
  attachItems,
  type ReturnAuthorizationRow,
} from '../sales/return-authorizations/return-authorizations.repository';

/** Returns these returns by id, with their items. */
export async function findReturnsById(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, ReturnAuthorizationRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db<ReturnAuthorizationRow>('return_authorizations').whereIn('id', [...ids]);
  return new Map((await attachItems(db, rows)).map((row) => [row.id, row]));
}

/** Returns the count below which stock is low. */
export async function findLowStockThreshold(db: Db): Promise<number> {
  const store = await db('stores')
    .where({ is_default: true })
    .first<{ low_stock_threshold: number } | undefined>('low_stock_threshold');
  return store?.low_stock_threshold ?? 5;
}
