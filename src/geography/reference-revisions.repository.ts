import { buildKeeper, type Revisions } from '../platform/database/kept-data';
import type { Db } from '../platform/database/knex';

/**
 * Groups of reference data, which are read often and change rarely. `migrations/functions/reference_revisions.sql` lists
 * their tables.
 */
export type ReferenceGroup = 'countries' | 'payment_methods' | 'shipping_methods' | 'taxes';

/**
 * The revision of each group as one statement has seen it. Equal revisions mean equal data, in any database and after
 * any rollback, because every change sets a new random value.
 */
export type ReferenceRevisions = Revisions<ReferenceGroup>;

/** The revisions of a caller that has not read them: the data is read and not kept. */
export const NO_REVISIONS: ReferenceRevisions = {
  countries: '',
  payment_methods: '',
  shipping_methods: '',
  taxes: '',
};

/** Selects the `ReferenceRevisions`. Part of statements that are sent anyway. */
export const SELECT_REVISIONS = `(SELECT json_object_agg(name, revision) FROM reference_revisions)`;

/** Reads the revisions, for work that does not read an order. One statement. */
export async function readRevisions(db: Db): Promise<ReferenceRevisions> {
  const { rows } = await db.raw<{ rows: { revisions: ReferenceRevisions }[] }>(
    `SELECT ${SELECT_REVISIONS} AS revisions`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no revisions of reference data');
  return row.revisions;
}

/** Keeps reference data in memory while the revision of its group is unchanged (`buildKeeper`). */
export const keepByRevision = buildKeeper(readRevisions);
