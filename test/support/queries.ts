import { testDb } from './database';

/** How many statements `work` sends to the database, those of other tests' making excluded: tests of a file run in turn. */
export async function countQueries(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const note = (): void => {
    count++;
  };
  testDb().on('query', note);
  try {
    await work();
  } finally {
    testDb().off('query', note);
  }
  return count;
}
