import type { Db } from '../platform/database/knex';
import { queryPrepared } from '../platform/database/prepared';

const REVISION = {
  name: 'catalog_revision',
  sql: `SELECT concat(coalesce(sum(n), 0), ' ', coalesce(sum(n) FILTER (WHERE kind = 'visibility'), 0)) AS revision
    FROM catalog_revisions`,
};

/**
 * Returns the catalog revision of a database, and the part of it that is the visibility of products. It changes with every
 * committed change of the catalog.
 */
export async function readCatalogRevision(db: Db): Promise<string> {
  const [row] = await queryPrepared<{ revision: string }>(db, REVISION, []);
  return row?.revision ?? '';
}

/**
 * Replaces the rows of each kind in the revision log by one row with the same sum. Safe at any time and from several
 * instances at once: readers see the rows before or after. Writes nothing if no kind has more than one row.
 */
export async function foldCatalogRevisions(db: Db): Promise<void> {
  await db.raw(`
    WITH folded AS (
      DELETE FROM catalog_revisions
      WHERE kind IN (SELECT kind FROM catalog_revisions GROUP BY kind HAVING count(*) > 1) RETURNING kind, n
    )
    INSERT INTO catalog_revisions (kind, n) SELECT kind, sum(n) FROM folded GROUP BY kind`);
}
