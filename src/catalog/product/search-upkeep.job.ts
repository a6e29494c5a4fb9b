import type { Db } from '../../platform/database/knex';

/** Documents in one transaction: few, so that it ends within the time limits of a request. */
const BATCH = 500;

/**
 * Rebuilds the search documents that are not in the language of the store. Until then they are found by whole words and
 * by equal stems. Repeatable, and safe from several instances at once.
 */
export async function refreshSearchLanguage(db: Db, isRunning: () => boolean): Promise<void> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `SELECT FROM search_names WHERE language <> store_language() LIMIT 1`,
  );
  if (rows.length > 0) await db.raw('SELECT rebuild_search_names()');
  let changed = rows.length;
  while (isRunning()) {
    const { rows: batch } = await db.raw<{ rows: { ids: number[] | null }[] }>(
      `SELECT array_agg(product_id) AS ids FROM (
         SELECT product_id FROM search_documents WHERE language <> store_language() ORDER BY product_id LIMIT ${BATCH}) AS outdated`,
    );
    const ids = batch[0]?.ids ?? [];
    if (ids.length === 0) break;
    await db.raw('SELECT rebuild_search_documents(?)', [ids]);
    changed += ids.length;
  }
  // Kept replies of searches are of the former language.
  if (changed > 0) await db.raw(`INSERT INTO catalog_revisions (kind) VALUES ('product')`);
}

/**
 * Deletes the sets of offers, taxons and properties that no listing has any more. Waits for changes of the catalog and
 * briefly blocks them: another listing may get the same set meanwhile.
 */
export async function removeUnusedListingSets(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.raw('LOCK TABLE product_listings IN SHARE MODE');
    for (const set of ['offers', 'taxons', 'properties']) {
      await tx.raw(
        `DELETE FROM listing_${set} AS unused
         WHERE NOT EXISTS (SELECT FROM product_listings WHERE ${set}_id = unused.set_id)`,
      );
    }
  });
}
