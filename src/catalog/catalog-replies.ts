import type { Ctx } from '../access/context';
import type { Db } from '../platform/database/knex';
import { queryPrepared } from '../platform/database/prepared';
import type { ReplySource } from '../platform/http/reply-cache';

const MEBIBYTE = 1024 * 1024;

/**
 * The cache rules of replies that depend on the catalog only. Triggers append to catalog_revisions in the transaction
 * of every change of a catalog table, stock included. The sum of the table is the catalog revision.
 */
export const catalogReplies: ReplySource<Ctx> = {
  revision: ({ db }) => readCatalogRevision(db),
  validUntil: findNextAppearance,
  maxBytes: 64 * MEBIBYTE,
};

const REVISION = {
  name: 'catalog_revision',
  sql: 'SELECT coalesce(sum(n), 0) AS revision FROM catalog_revisions',
};

/** Returns the catalog revision of a database. It grows with every committed change of the catalog. */
export async function readCatalogRevision(db: Db): Promise<string> {
  const [row] = await queryPrepared<{ revision: string }>(db, REVISION, []);
  return row?.revision ?? '0';
}

/** Returns the next time a product becomes available or is discontinued: visibility changes then without a write. */
async function findNextAppearance({ db, now }: Ctx): Promise<Date | null> {
  const at = now();
  const found = await db.raw<{ rows: { next: Date | null }[] }>(
    `SELECT least((SELECT min(available_on) FROM products WHERE available_on > ?),
                  (SELECT min(discontinue_on) FROM products WHERE discontinue_on > ?)) AS next`,
    [at, at],
  );
  return found.rows[0]?.next ?? null;
}

/**
 * Replaces the rows of the revision log by one row with the same sum. Safe at any time and from several instances at
 * once: readers see the rows before or after. Writes nothing if there is at most one row.
 */
export async function foldCatalogRevisions(db: Db): Promise<void> {
  await db.raw(`
    WITH folded AS (
      DELETE FROM catalog_revisions WHERE EXISTS (SELECT FROM catalog_revisions OFFSET 1) RETURNING n
    )
    INSERT INTO catalog_revisions (n) SELECT sum(n) FROM folded HAVING count(*) > 0`);
}
