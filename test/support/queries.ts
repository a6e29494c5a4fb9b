import type { Knex } from 'knex';
import { testDb } from './database';

/** How many statements `work` sends to the database, those of other tests' making excluded: tests of a file run in turn. */
export async function countQueries(work: () => Promise<unknown>, db: Knex = testDb()): Promise<number> {
  let count = 0;
  const note = (): void => {
    count++;
  };
  db.on('query', note);
  try {
    await work();
  } finally {
    db.off('query', note);
  }
  return count;
}
