import type { Knex } from 'knex';
import { aCustomer } from '../support/accounts.factory';
import { testDb } from '../support/database';
import { listFeeds, readFeed, readFeedPage } from '../support/feeds';
import { aProduct } from '../support/products.factory';
import { aShippedOrder, getDefaultLocationId } from '../support/shipments.factory';

/** Holds a transaction with this work open until it is committed. */
async function hold(work: (tx: Knex) => Promise<unknown>): Promise<Knex.Transaction> {
  const tx = await testDb().transaction();
  await work(tx);
  return tx;
}

const touch = (table: string, id: number) => (db: Knex) =>
  db(table).where({ id }).update({ updated_at: new Date() });

const idsOf = async (path: string, cursor: string) => {
  const feed = await readFeed(path, cursor);
  return { ids: feed.records.map(({ id }) => id), cursor: feed.cursor };
};

describe('a transaction that is open while a page is read', () => {
  test('is not skipped in any feed when it commits later', async () => {
    for (let count = 0; count < 2; count += 1) {
      await aCustomer();
      const order = await aShippedOrder();
      await testDb().raw(
        `INSERT INTO return_authorizations (number, order_id, stock_location_id, return_authorization_reason_id)
         SELECT 'RA' || ?::text, ?, ?, min(id) FROM return_authorization_reasons`,
        [100_000_000 + order.id, order.id, await getDefaultLocationId()],
      );
    }
    for (const [path, table] of await listFeeds()) {
      const [early, late] = (await readFeed(path)).records.map(({ id }) => id as number);
      if (early === undefined || late === undefined) throw new Error(`${path} needs two records`);
      const { cursor } = await readFeed(path);

      const open = await hold(touch(table, early));
      await touch(table, late)(testDb());
      const during = await idsOf(path, cursor);
      await open.commit();
      const after = await idsOf(path, during.cursor);
      expect([path, [...during.ids, ...after.ids]]).toEqual([path, expect.arrayContaining([early, late])]);
    }
  });

  test('is not skipped if it inserts a record', async () => {
    const { cursor } = await readFeed('/users');
    const open = await hold((tx) => tx('users').insert({ email: 'late@example.com', password_digest: 'x' }));
    const other = await aCustomer();
    const during = await readFeed('/users', cursor);
    await open.commit();
    const after = await readFeed('/users', during.cursor);
    const emails = [...during.records, ...after.records].map(({ email }) => email);
    expect(emails).toEqual(expect.arrayContaining(['late@example.com', other.email]));
  });

  test('does not hold up records that changed before it began', async () => {
    const { cursor } = await readFeed('/products');
    const product = await aProduct();
    const open = await hold((tx) => tx('users').insert({ email: 'slow@example.com', password_digest: 'x' }));
    expect((await idsOf('/products', cursor)).ids).toEqual([product.id]);
    await open.rollback();
  });

  test('holds up later changes only until it ends, also for a reader who asks the same again', async () => {
    const { cursor } = await readFeed('/products');
    const open = await hold((tx) => tx('users').insert({ email: 'other@example.com', password_digest: 'x' }));
    const product = await aProduct();
    expect((await readFeedPage('/products', cursor)).records).toEqual([]);
    await open.rollback();
    expect((await readFeedPage('/products', cursor)).records).toMatchObject([{ id: product.id }]);
  });

  test('does not hold up the feed if it only reads, as a dump does', async () => {
    const { cursor } = await readFeed('/products');
    const open = await hold((tx) => tx('products').first());
    const product = await aProduct();
    expect((await idsOf('/products', cursor)).ids).toEqual([product.id]);
    await open.rollback();
  });

  test('is not skipped if the session belongs to a role whose activity the store cannot see', async () => {
    const readHorizon = async () =>
      testDb().transaction(async (tx) => {
        await tx.raw('SET LOCAL ROLE feed_reader');
        const { rows } = await tx.raw(
          'SELECT feed_horizon() AS horizon, pg_postmaster_start_time() AS start, now()',
        );
        return rows[0];
      });
    await testDb().raw('CREATE ROLE feed_reader; GRANT SELECT, UPDATE ON SEQUENCE feed_marks TO feed_reader');
    try {
      const idle = await readHorizon();
      expect(Number(idle.now) - Number(idle.horizon)).toBeLessThan(1_000);
      const open = await hold((tx) =>
        tx('users').insert({ email: 'hidden@example.com', password_digest: 'x' }),
      );
      const { horizon, start } = await readHorizon();
      await open.rollback();
      expect(horizon <= start).toBe(true);
    } finally {
      await testDb().raw('DROP OWNED BY feed_reader; DROP ROLE feed_reader');
    }
  });
});

test('a reader beside many writers misses no change', async () => {
  const products = await Promise.all(Array.from({ length: 12 }, () => aProduct()));
  const ids = products.map(({ id }) => id as number);
  const seen = new Map<number, string>();
  let cursor = '';
  const read = async () => {
    const feed = await readFeed('/products?per_page=5', cursor);
    for (const { id, name } of feed.records) seen.set(id, name);
    cursor = feed.cursor;
  };

  const random = (below: number) => Math.floor(Math.random() * below);
  const write = async (writer: number) => {
    for (let round = 0; round < 25; round += 1) {
      const id = ids[random(ids.length)] ?? 0;
      const work = testDb().transaction(async (tx) => {
        await tx('products')
          .where({ id })
          .update({ name: `${writer}.${round}` });
        await tx.raw('SELECT pg_sleep(?)', [random(30) / 1_000]);
        if (random(10) === 0) throw new Error('rolled back');
      });
      await work.catch((error: unknown) => {
        if (!(error instanceof Error) || error.message !== 'rolled back') throw error;
      });
    }
  };
  let isWriting = true;
  const writers = Promise.all(Array.from({ length: 6 }, (_none, writer) => write(writer))).finally(() => {
    isWriting = false;
  });
  while (isWriting) await read();
  await writers;
  await read();

  const stored = await testDb()('products').whereIn('id', ids).select('id', 'name');
  expect(stored.map(({ id }) => [id, seen.get(id)])).toEqual(stored.map(({ id, name }) => [id, name]));
});
