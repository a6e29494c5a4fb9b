import { pino } from 'pino';
import type { Knex } from 'knex';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { isDatabaseUnavailable } from '../../src/platform/database/outage';
import { relaxCommit, withTransaction } from '../../src/platform/database/transaction';
import { api, makeTestApp } from '../support/api';
import { ensureTestDatabase, onServer, testDb } from '../support/database';
import { aSellableVariant } from '../support/orders.factory';

/** Two connections, which all requests share: what one of them leaves behind, another one meets. */

let pool: Knex;

beforeAll(async () => {
  const url = await ensureTestDatabase();
  pool = connectDatabase({ url, poolSize: 2, log: pino({ level: 'silent' }), mayRelaxCommits: true });
  await testDb().raw(`CREATE TABLE notes (id integer PRIMARY KEY)`);
});

afterAll(async () => closeDatabase(pool));

/** A small linear congruential generator: a failure repeats. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const FAILURES = [
  'SELECT 1 / 0',
  'SELECT * FROM no_such_table',
  'INSERT INTO notes VALUES (-1), (-1)',
  'no SQL',
];

/** Where the failure of a transaction is noticed. */
const PLACES = ['none', 'awaited', 'sent', 'written first', 'written', 'thrown'] as const;

interface Plan {
  id: number;
  isRelaxed: boolean;
  failure: string;
  place: (typeof PLACES)[number];
}

/** Runs a transaction that inserts one note. */
async function write({ id, isRelaxed, failure, place }: Plan): Promise<void> {
  await withTransaction<unknown>({ db: pool }, async (tx) => {
    if (isRelaxed) relaxCommit(tx);
    const insert = () => tx.raw('INSERT INTO notes VALUES (?)', [id]);
    const failing = { name: null, sql: failure };
    if (place === 'written first') tx.write(failing, []);
    await insert();
    if (place === 'awaited') await tx.raw(failure);
    if (place === 'sent') await Promise.all([tx.query(failing, []), insert()]);
    if (place === 'written') tx.write(failing, []);
    if (place === 'thrown') throw new Error('refused');
    return null;
  });
}

test('failing transactions change nothing, and no other statement notices them', async () => {
  const random = createRandom(20261123);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T; // the list is not empty
  const plans = Array.from({ length: 400 }, (_none, id): Plan => {
    return { id, isRelaxed: random(2) === 0, failure: pick(FAILURES), place: pick(PLACES) };
  });
  const outcomes: boolean[] = [];
  const waiting = [...plans];
  const work = async () => {
    for (let plan = waiting.shift(); plan !== undefined; plan = waiting.shift()) {
      const { id } = plan;
      outcomes[id] = await write(plan).then(
        () => true,
        () => false,
      );
      const { rows } = await pool.raw<{ rows: unknown[] }>('SELECT ?::integer AS id', [id]);
      expect(rows).toEqual([{ id }]);
    }
  };
  await Promise.all(Array.from({ length: 5 }, work));

  const expected = plans.map(({ place }) => place === 'none');
  expect(outcomes).toEqual(expected);
  const stored = await testDb()('notes').where('id', '<', 10_000).orderBy('id').pluck('id');
  expect(stored).toEqual(plans.filter(({ id }) => expected[id]).map(({ id }) => id));
});

test('while connections are killed, what succeeds is stored, and nothing fails for another reason', async () => {
  const name = new URL(await ensureTestDatabase()).pathname.slice(1);
  const succeeded: number[] = [];
  const others: unknown[] = [];
  const noteOther = (error: unknown): void => {
    if (!isDatabaseUnavailable(error)) others.push(error);
  };
  let next = 10_000;
  let isOver = false;
  const work = async () => {
    while (!isOver) {
      const id = (next += 1);
      const plan = { id, isRelaxed: id % 2 === 0, failure: '', place: 'none' } as const;
      await write(plan).then(() => succeeded.push(id), noteOther);
      await pool.raw('SELECT 1').catch(noteOther);
    }
  };
  const running = Promise.all(Array.from({ length: 4 }, work));
  await onServer(async (client) => {
    for (let time = 0; time < 40; time += 1) {
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = $1 AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1`,
        [name],
      );
      await client.query('SELECT pg_sleep(0.01)');
    }
  });
  isOver = true;
  await running;

  expect(others).toEqual([]);
  const stored = await pool('notes').where('id', '>', 10_000).pluck<number[]>('id');
  expect(succeeded.length).toBeGreaterThan(0);
  expect(succeeded.filter((id) => !stored.includes(id))).toEqual([]);
});

test('requests after failed changes of carts are served', async () => {
  await testDb().raw(`
    CREATE FUNCTION refuse_five() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM 1 / (5 - NEW.quantity);
      RETURN NEW;
    END $$;
    CREATE TRIGGER line_items_refuse BEFORE INSERT OR UPDATE ON line_items
      FOR EACH ROW EXECUTE FUNCTION refuse_five();`);
  const app = makeTestApp({ db: pool });
  const guest = api({}, app);
  const { id: variant_id } = await aSellableVariant();
  const { body: order } = await guest.post('/orders', {
    order: { line_items: [{ variant_id, quantity: 1 }] },
  });
  const shopper = api({ orderToken: order.token }, app);
  const line = `/orders/${order.number}/line_items/${order.line_items[0].id}`;

  for (let time = 0; time < 4; time += 1) {
    const [failed, created] = await Promise.all([
      shopper.put(line, { line_item: { quantity: 5 } }),
      guest.post('/orders', { order: { line_items: [{ variant_id, quantity: 5 }] } }),
    ]);
    expect([failed.status, created.status]).toEqual([500, 500]);
    const reads = await Promise.all(Array.from({ length: 13 }, () => shopper.get(`/orders/${order.number}`)));
    expect(reads.map(({ status }) => status)).toEqual(reads.map(() => 200));
  }
  const { body: read } = await shopper.get(`/orders/${order.number}`);
  expect(read.line_items).toMatchObject([{ quantity: 1 }]);
});
