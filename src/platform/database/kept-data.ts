import type { Db } from './knex';
import { createRevisionMemory } from '../revision-memory';

/**
 * The number of revisions that are kept of each group: the current one, and those of other databases or transactions.
 */
const MAX_KEPT = 4;

/** The revision of each group of data as one statement has seen it. Equal revisions mean equal data. */
export type Revisions<Group extends string> = Readonly<Record<Group, string>>;

/** Returns the data of a revision, without a promise if it is in memory. Shared between requests and frozen. */
export type KeptData<Group extends string, Data> = (
  db: Db,
  revisions: Revisions<Group>,
) => Data | Promise<Data>;

/**
 * Builds the function that keeps the result of `load` in memory while the revision of its group is unchanged. A transaction
 * that has changed the group reads its own data. At most two statements, usually none.
 * @param readRevisions reads the current revisions, in one statement
 */
export function buildKeeper<Group extends string>(readRevisions: (db: Db) => Promise<Revisions<Group>>) {
  return <Data>(group: Group, load: (db: Db) => Promise<Data>): KeptData<Group, Data> => {
    const memory = createRevisionMemory<Data>({ max: MAX_KEPT });
    const loadAndKeep = async (db: Db, revision: string): Promise<Data> => {
      const data = freeze(await load(db));
      // Another transaction may have committed a change since the revision was read.
      if ((await readRevisions(db))[group] === revision) memory.keepFor(revision, revision, data);
      return data;
    };
    return (db, revisions) => {
      const revision = revisions[group];
      return memory.find(revision, revision) ?? loadAndKeep(db, revision);
    };
  };
}

/** Freezes data and everything in it, because requests share it. */
export function freeze<Data>(data: Data): Data {
  if (typeof data !== 'object' || data === null || Object.isFrozen(data)) return data;
  const parts = data instanceof Map ? data.values() : Object.values(data);
  for (const part of parts) freeze(part);
  return Object.freeze(data);
}
