import { aCustomer } from '../support/accounts.factory';
import { ensureTestDatabase, onServer, testDb } from '../support/database';
import { listFeeds, readFeed, readFeedPage } from '../support/feeds';
import { aShippedOrder, getDefaultLocationId } from '../support/shipments.factory';

/**
 * The clock of a database server is corrected, or a replica on another machine becomes the primary. The clock of this database is
 * replaced by one that tests can set.
 */

async function useOwnClock(): Promise<void> {
  await testDb().raw(`
    CREATE SCHEMA set_clock;
    CREATE TABLE set_clock.shift (by interval NOT NULL);
    INSERT INTO set_clock.shift VALUES ('0');
    CREATE FUNCTION set_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
      SELECT pg_catalog.clock_timestamp() + by FROM set_clock.shift
    $$;`);
  const name = new URL(await ensureTestDatabase()).pathname.slice(1);
  await onServer(async (client) => {
    await client.query(`ALTER DATABASE ${name} SET search_path = set_clock, pg_catalog, public`);
    await client.query('SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1', [
      name,
    ]);
  });
}

const shiftClock = (by: string) => testDb().raw('UPDATE set_clock.shift SET by = ?', [by]);

const touch = (table: string, id: number) =>
  testDb()(table).where({ id }).update({ updated_at: testDb().fn.now() });

/** Reads what is new, and returns the ids and the next cursor. */
async function readNew(path: string, from: string): Promise<{ ids: number[]; cursor: string }> {
  const { records, cursor } = await readFeed(path, from);
  return { ids: records.map(({ id }) => id as number), cursor };
}

beforeAll(async () => {
  for (let count = 0; count < 2; count += 1) {
    await aCustomer();
    const order = await aShippedOrder();
    await testDb().raw(
      `INSERT INTO return_authorizations (number, order_id, stock_location_id, return_authorization_reason_id)
       SELECT 'RA' || ?::text, ?, ?, min(id) FROM return_authorization_reasons`,
      [100_000_000 + order.id, order.id, await getDefaultLocationId()],
    );
  }
  await useOwnClock();
});

test('changes after the clock has gone back are in every feed, once', async () => {
  for (const [path, table] of await listFeeds()) {
    await shiftClock('1 hour');
    const { ids, cursor } = await readNew(path, '');
    const [first, second] = ids;
    if (first === undefined || second === undefined) throw new Error(`${path} needs two records`);
    await shiftClock('0');
    await touch(table, first);
    const one = await readNew(path, cursor);
    await touch(table, second);
    const other = await readNew(path, one.cursor);
    const none = await readNew(path, other.cursor);
    expect([path, one.ids.includes(first), other.ids.includes(second), none.ids]).toEqual([
      path,
      true,
      true,
      [],
    ]);
    expect([path, other.ids.includes(first)]).toEqual([path, false]);
  }
});

test('a transaction that was open when the clock went back is not skipped', async () => {
  const customers = [await aCustomer(), await aCustomer()];
  const emails = customers.map(({ email }) => email);
  const { cursor } = await readFeed('/users');
  const open = await testDb().transaction();
  await open('users').where({ email: emails[0] }).update({ updated_at: open.fn.now() });
  await shiftClock('-1 hour');
  await open('users').where({ email: emails[1] }).update({ updated_at: open.fn.now() });
  await shiftClock('0');
  const during = await readFeedPage('/users', cursor);
  await open.commit();
  const after = await readFeed('/users', during.next_cursor);
  const seen = [...during.records, ...after.records].map(({ email }) => email as string);
  expect(seen).toEqual(expect.arrayContaining(emails));
});
