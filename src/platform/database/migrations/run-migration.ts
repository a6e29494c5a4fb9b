import type { Knex } from 'knex';
import { runAlone, withLockRetries } from './lock-retries';
import { noteEnd, noteProgress, type Direction, type Progress } from './progress';
import { listSteps, type Batches, type IndexCreation, type IndexRemoval, type Migration } from './steps';

/**
 * Runs the steps of a migration, or those that are left of an interrupted one. A step and the note that it has run are
 * one transaction. Indexes are created and dropped outside transactions; repeating that changes nothing.
 */
export async function runMigration(
  db: Knex,
  migration: Migration,
  { direction, batch, interrupted }: { direction: Direction; batch: number; interrupted: Progress | null },
): Promise<void> {
  const { name } = migration;
  const steps = listSteps(migration[direction]);
  let noted = interrupted;
  const start: Progress = interrupted ?? { name, direction, batch, steps: 0, position: 0 };
  for (const [index, step] of steps.entries()) {
    if (index < start.steps) continue;
    const done: Progress = { ...start, steps: index + 1, position: 0 };
    const isLast = index === steps.length - 1;
    const before = noted;
    const finish = (tx: Knex) => (isLast ? noteEnd(tx, before, done) : noteProgress(tx, before, done));
    if (typeof step === 'function') {
      await withLockRetries(db, async (tx) => {
        // The functions of the files stay, and use what reverted migrations have added.
        if (direction === 'down') await tx.raw('SET LOCAL check_function_bodies = off');
        await step(tx);
        await finish(tx);
      });
    } else if (step.kind === 'batches') {
      const last = await runBatches(db, step, noted ?? start, noted);
      await withLockRetries(db, (tx) => (isLast ? noteEnd(tx, last, done) : noteProgress(tx, last, done)));
    } else {
      await (step.kind === 'create index' ? createIndex(db, step) : removeIndex(db, step));
      await withLockRetries(db, finish);
    }
    noted = done;
  }
  if (steps.length === 0) await withLockRetries(db, (tx) => noteEnd(tx, noted, start));
}

/** @returns what was noted last */
async function runBatches(
  db: Knex,
  { table, size, work }: Batches,
  start: Progress,
  noted: Progress | null,
): Promise<Progress | null> {
  let last = noted;
  for (let after = start.position; ;) {
    const upTo = await findEnd(db, { table, size, after });
    if (upTo === null) return last;
    const before = last;
    const next: Progress = { ...start, position: upTo };
    const range = { after, upTo };
    await withLockRetries(db, async (tx) => {
      await work(tx, range);
      await noteProgress(tx, before, next);
    });
    last = next;
    after = upTo;
  }
}

/** Returns the last id of the next range; null at the end of the table. */
async function findEnd(
  db: Knex,
  { table, size, after }: { table: string; size: number; after: number },
): Promise<number | null> {
  const ids = db(table).select('id').where('id', '>', after).orderBy('id').limit(size).as('next');
  const [row] = await db.from(ids).max<{ last: number | null }[]>({ last: 'id' });
  return row?.last ?? null;
}

/** An index whose creation was interrupted exists and is invalid. */
async function createIndex(db: Knex, { name, isUnique, on }: IndexCreation): Promise<void> {
  const dropInvalid = async () => {
    const { rows } = await db.raw<{ rows: unknown[] }>(
      'SELECT FROM pg_index WHERE indexrelid = to_regclass(?) AND NOT indisvalid',
      [name],
    );
    if (rows.length > 0) await db.raw(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  };
  const kind = isUnique ? 'UNIQUE INDEX' : 'INDEX';
  await runAlone(db, dropInvalid, `CREATE ${kind} CONCURRENTLY IF NOT EXISTS ${name} ON ${on}`);
}

async function removeIndex(db: Knex, { name }: IndexRemoval): Promise<void> {
  await runAlone(db, () => Promise.resolve(), `DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}
