import type { Knex } from 'knex';
import { pino } from 'pino';
import request from 'supertest';
import { closeDatabase, connectDatabase } from '../../../src/platform/database/knex';
import { api, makeTestApp, type TestApp } from '../../support/api';
import { ensureTestDatabase, onServer } from '../../support/database';
import { aSellableVariant } from '../../support/orders.factory';

/** A server that only reads: a primary that became a standby, or one whose disk is nearly full. */

let db: Knex;
let app: TestApp;
let name: string;

const set = (statement: string) => onServer(async (client) => void (await client.query(statement)));

async function connect(): Promise<void> {
  const url = await ensureTestDatabase();
  name = new URL(url).pathname.slice(1);
  db = connectDatabase({ url, poolSize: 3, log: pino({ level: 'silent' }) });
  app = makeTestApp({ db });
}

beforeEach(connect);

afterEach(async () => closeDatabase(db));

const readiness = async () => (await request(app.app).get('/health/ready')).status;

async function whileReadOnly<T>(work: () => Promise<T>): Promise<T> {
  await set(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  try {
    return await work();
  } finally {
    await set(`ALTER DATABASE ${name} SET default_transaction_read_only = off`);
  }
}

/** Opens the connections of the pool. */
const connectAll = () => Promise.all(Array.from({ length: 6 }, () => db.raw('SELECT pg_sleep(0.05)')));

async function createOrder(variant_id: number) {
  const reply = await api({}, app).post('/orders', { order: { line_items: [{ variant_id, quantity: 1 }] } });
  return { status: reply.status, retryAfter: reply.headers['retry-after'] };
}

test('writes are refused with 503, the store is not ready, and both pass by themselves', async () => {
  const { id, product_id } = await aSellableVariant();
  expect(await readiness()).toBe(200);
  await closeDatabase(db);
  await connect();
  await whileReadOnly(async () => {
    await connectAll();
    expect(await createOrder(id)).toEqual({ status: 503, retryAfter: '1' });
    expect(await readiness()).toBe(503);
    expect((await api({}, app).get(`/products/${product_id}`)).status).toBe(200);
    await connectAll();
  });
  expect(await createOrder(id)).toEqual({ status: 503, retryAfter: '1' });
  // The first refused write has retired the connections of its time, so that each of them is not met by a request of its own.
  for (let time = 0; time < 4; time += 1) expect(await createOrder(id)).toMatchObject({ status: 201 });
  expect(await readiness()).toBe(200);
});

test('a check of the readiness alone lets the store recover', async () => {
  const { id } = await aSellableVariant();
  await whileReadOnly(connectAll);
  expect(await readiness()).toBe(503);
  expect(await readiness()).toBe(200);
  expect(await createOrder(id)).toMatchObject({ status: 201 });
});
