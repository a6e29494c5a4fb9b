import { withTransaction, type Tx } from '../../src/platform/database/transaction';
import { testDb } from '../support/database';

/** Returns a function whose promise resolves when it has been called twice. */
function createMeeting(): () => Promise<void> {
  let arrived = 0;
  let open: () => void = () => undefined;
  const both = new Promise<void>((resolve) => (open = resolve));
  return () => {
    arrived += 1;
    if (arrived === 2) open();
    return both;
  };
}

describe('transactions that lock two rows in opposite order', () => {
  let codes: string[];

  beforeAll(async () => {
    codes = await testDb()('countries').orderBy('id').limit(2).pluck('iso');
  });

  const lock = (tx: Tx, iso: string | undefined) =>
    tx('countries')
      .where({ iso: iso ?? '' })
      .forUpdate()
      .first('id');

  test('both succeed: PostgreSQL ends one of them with 40P01, and it runs again', async () => {
    const meet = createMeeting();
    let attempts = 0;
    const lockBoth = (first: string | undefined, second: string | undefined) =>
      withTransaction({ db: testDb() }, async (tx) => {
        attempts += 1;
        await lock(tx, first);
        await meet();
        await lock(tx, second);
        return first;
      });
    const [one, other] = codes;
    expect(await Promise.all([lockBoth(one, other), lockBoth(other, one)])).toEqual([one, other]);
    expect(attempts).toBe(3);
  });
});
