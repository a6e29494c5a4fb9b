import type { Knex } from 'knex';
import { Client } from 'pg';
import { pino } from 'pino';
import { closeDatabase, connectDatabase } from '../../../src/platform/database/knex';
import { anAdmin } from '../../support/accounts.factory';
import { api, makeTestApp, type TestApp } from '../../support/api';
import { ensureTestDatabase } from '../../support/database';
import { aSellableVariant, buildMarylandAddress, buildPaymentBody } from '../../support/orders.factory';

/** With CART_COMMITS=fast only carts may be lost in a crash of the database server. */

let db: Knex;
let app: TestApp;
/** The last statement of each connection. */
const former = new WeakMap<Client, string>();
const commits: ('relaxed' | 'durable')[] = [];

beforeAll(async () => {
  // `query` has many signatures, and all of them are passed on, so their arguments have no type here.
  const query: unknown = Object.getOwnPropertyDescriptor(Client.prototype, 'query')?.value;
  jest.spyOn(Client.prototype, 'query').mockImplementation(function (this: Client, ...given: any[]) {
    const text = String(given[0]?.text ?? given[0]);
    if (/^COMMIT/.test(text))
      commits.push(former.get(this)?.includes('synchronous_commit') ? 'relaxed' : 'durable');
    former.set(this, text);
    return (query as (...all: any[]) => unknown).apply(this, given);
  } as any);
  const options = { poolSize: 5, log: pino({ level: 'silent' }), mayRelaxCommits: true };
  db = connectDatabase({ ...options, url: await ensureTestDatabase() });
  app = makeTestApp({ db });
});

afterAll(async () => {
  jest.restoreAllMocks();
  await closeDatabase(db);
});

/** Returns the reply, and how the transactions of the request were committed. */
async function commit(send: () => Promise<{ status: number; body: any }>) {
  commits.length = 0;
  const { status, body } = await send();
  if (status >= 300) throw new Error(JSON.stringify(body));
  return { body, commits: [...commits] };
}

test('steps of a cart are relaxed until it has a payment', async () => {
  const { id: variant_id } = await aSellableVariant();
  const order = { email: 'a@example.com', line_items: [{ variant_id }] };
  const made = await commit(async () => api({}, app).post('/orders', { order }));
  expect(made.commits).toEqual(['relaxed']);
  const shopper = api({ orderToken: made.body.token }, app);
  const path = `/checkouts/${made.body.number}`;
  const line = await commit(async () =>
    shopper.post(`/orders/${made.body.number}/line_items`, { variant_id }),
  );
  expect(line.commits).toEqual(['relaxed']);
  const address = await buildMarylandAddress();
  const steps: Record<string, object> = {
    address: {},
    delivery: { order: { bill_address_attributes: address, use_billing: true } },
    payment: {},
  };
  for (const [state, body] of Object.entries(steps)) {
    const step = await commit(async () => shopper.put(path, body));
    expect([step.body.state, step.commits]).toEqual([state, ['relaxed']]);
  }
  const paid = await commit(async () => shopper.put(path, await buildPaymentBody()));
  expect([paid.body.state, paid.commits]).toEqual(['confirm', ['durable']]);
  const complete = await commit(async () => shopper.put(path, {}));
  expect([complete.body.state, new Set(complete.commits)]).toEqual(['complete', new Set(['durable'])]);
});

test('an open order that is created with a payment is durable', async () => {
  const { id: variant_id } = await aSellableVariant();
  const admin = api(await anAdmin(), app);
  const order = { line_items: [{ variant_id }], payments: [{ amount: '5', payment_method: 'Check' }] };
  const made = await commit(async () => admin.post('/orders', { order }));
  expect([made.body.state, made.body.payment_total, made.commits]).toEqual(['cart', '5.0', ['durable']]);
});
