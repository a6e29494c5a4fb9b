import type { Db } from '../../platform/database/knex';

// `(SELECT store_language())`: the function reads a table, and would do so for each row.

/** Documents in one transaction: few, so that it ends within the time limits of a request. */
const BATCH = 500;

/** Writes the names of option values and taxons in the language of the store. @returns whether they were in another one */
export async function rebuildSearchNames(db: Db): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `SELECT FROM search_names WHERE language <> (SELECT store_language()) LIMIT 1`,
  );
  if (rows.length > 0) await db.raw('SELECT rebuild_search_names()');
  return rows.length > 0;
}

/** Rebuilds the next search documents that are not in the language of the store. @returns their number, 0 at the end */
export async function rebuildNextDocuments(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: { ids: number[] | null }[] }>(
    `SELECT array_agg(product_id) AS ids FROM (
       SELECT product_id FROM search_documents WHERE language <> (SELECT store_language()) ORDER BY product_id LIMIT ${BATCH}) AS outdated`,
  );
  const ids = rows[0]?.ids ?? [];
  if (ids.length > 0) await db.raw('SELECT rebuild_search_documents(?)', [ids]);
  return ids.length;
}

/** Changes the catalog revision, so that kept replies are not given any more. */
export async function changeCatalogRevision(db: Db): Promise<void> {
  await db.raw(`INSERT INTO catalog_revisions (kind) VALUES ('product')`);
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
