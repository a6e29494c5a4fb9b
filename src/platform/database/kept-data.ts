import type { Db } from './knex';
import { keepWhileConnected } from '../lost-connections';

/**
 * Groups of reference data, which are read often and change rarely. The migration of their revisions lists their
 * tables.
 */
export type ReferenceGroup = 'countries' | 'payment_methods' | 'shipping_methods' | 'taxes';

/**
 * The revision of each group as one statement has seen it. Equal revisions mean equal data, in any database and after
 * any rollback, because every change sets a new random value.
 */
export type ReferenceRevisions = Readonly<Record<ReferenceGroup, string>>;

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
  return rows[0]?.revisions ?? NO_REVISIONS;
}

/**
 * The number of revisions that are kept of each group: the current one, and those of other databases or transactions.
 */
const MAX_KEPT = 4;

/** Returns the data of a revision. Shared between requests and frozen. */
export type KeptData<Data> = (db: Db, revisions: ReferenceRevisions) => Promise<Data>;

/**
 * Keeps the result of `load` in memory while the revision of its group is unchanged. A transaction that has changed the
 * group reads its own data. At most two statements, usually none.
 */
export function keepByRevision<Data>(group: ReferenceGroup, load: (db: Db) => Promise<Data>): KeptData<Data> {
  const keep = keepWhileConnected(() => new Map<string, Data>());
  return async (db, revisions) => {
    const revision = revisions[group];
    const kept = keep();
    const found = kept.get(revision);
    if (found !== undefined) return found;
    const data = freeze(await load(db));
    // Another transaction may have committed a change since the revision was read.
    if ((await findRevisions(db))[group] === revision) {
      kept.set(revision, data);
      const [oldest] = kept.keys();
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    }
    return data;
  };
}

async function findRevisions(db: Db): Promise<ReferenceRevisions> {
  const { rows } = await db.raw<{ rows: { revisions: ReferenceRevisions }[] }>(
    `SELECT ${SELECT_REVISIONS} AS revisions`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no revisions of reference data');
  return row.revisions;
}

/** Freezes data and everything in it, because requests share it. */
export function freeze<Data>(data: Data): Data {
  if (typeof data !== 'object' || data === null || Object.isFrozen(data)) return data;
  const parts = data instanceof Map ? data.values() : Object.values(data);
  for (const part of parts) freeze(part);
  return Object.freeze(data);
}
