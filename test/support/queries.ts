import type { Knex } from 'knex';
import { testDb } from './database';

/**
 * Returns the number of statements that `work` sends to the database. Other tests of the file run before or
 * after it.
 */
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
