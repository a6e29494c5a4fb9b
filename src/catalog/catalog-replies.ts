import type { Ctx } from '../access/context';
import type { Db } from '../platform/database/knex';
import { queryPrepared } from '../platform/database/prepared';
import type { ReplySource } from '../platform/http/reply-cache';

const MEBIBYTE = 1024 * 1024;

/**
 * Replies that show nothing but the catalog. Triggers append to catalog_revisions in the transaction of every change
 * of a catalog table (stock included), so its sum tells whether a kept reply still holds.
 */
export const catalogReplies: ReplySource<Ctx> = {
  revision: readRevision,
  validUntil: findNextAppearance,
  maxBytes: 64 * MEBIBYTE,
};

const REVISION = {
  name: 'catalog_revision',
  sql: 'SELECT coalesce(sum(n), 0) AS revision FROM catalog_revisions',
};

async function readRevision({ db }: Ctx): Promise<string> {
  const [row] = await queryPrepared<{ revision: string }>(db, REVISION, []);
  return row?.revision ?? '0';
}

/** The next moment a product comes on sale or goes off it, which no write announces. */
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
 * Folds the log of revisions into one row; its sum stays. Safe at any time and from several instances at once: a reader
 * sees the rows before or after, never in between. Writes nothing when there is nothing to fold.
 */
export async function foldCatalogRevisions(db: Db): Promise<void> {
  await db.raw(`
    WITH folded AS (
      DELETE FROM catalog_revisions WHERE EXISTS (SELECT FROM catalog_revisions OFFSET 1) RETURNING n
    )
    INSERT INTO catalog_revisions (n) SELECT sum(n) FROM folded HAVING count(*) > 0`);
}
