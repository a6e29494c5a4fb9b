import type { Db } from '../../platform/database/knex';

/** Returns the next time after `at` that a product becomes available or is discontinued; null for never. One statement. */
export async function findNextAppearance(db: Db, at: Date): Promise<Date | null> {
  const found = await db.raw<{ rows: { next: Date | null }[] }>(
    `SELECT least((SELECT min(available_on) FROM products WHERE available_on > ?),
                  (SELECT min(discontinue_on) FROM products WHERE discontinue_on > ?)) AS next`,
    [at, at],
  );
  return found.rows[0]?.next ?? null;
}
