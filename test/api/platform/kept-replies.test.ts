import { randomBytes, randomUUID } from 'node:crypto';
import request from 'supertest';
import { pino } from 'pino';
import { removeExpiredKeys } from '../../../src/platform/idempotency/delete-expired-keys.job';
import { createSealedBox } from '../../../src/platform/sealed-box';
import { anAdmin } from '../../support/accounts.factory';
import { makeTestApp, testApp, type TestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { unique } from '../../support/unique';

const DAY_MS = 24 * 3_600_000;
const SLOTS = 'idempotency_replies_';

let realSlot: string;
beforeAll(async () => {
  const { rows } = await testDb().raw(`SELECT pg_get_functiondef('reply_slot'::regproc) AS text`);
  realSlot = rows[0].text;
});
beforeEach(() => testDb().raw('TRUNCATE idempotency_keys, idempotency_replies'));
afterEach(() => testDb().raw(realSlot));

/** Sets the day of the database, as far as kept replies depend on it. */
async function setDay(day: number): Promise<void> {
  await testDb()
    .raw(`CREATE OR REPLACE FUNCTION reply_slot(days integer DEFAULT 0) RETURNS smallint LANGUAGE sql
    VOLATILE AS $$ SELECT ((${8 + day} + days) % 4)::smallint $$`);
}

/** A store some days later, and its hourly job. */
function storeOf(day: number) {
  const now = () => new Date(Date.now() + day * DAY_MS);
  const store = makeTestApp({ now });
  const clean = () => removeExpiredKeys({ db: testDb(), log: pino({ level: 'silent' }), now });
  return { app: store.app, clean };
}

async function aRequest(text = '') {
  const admin = await anAdmin();
  const [name, key] = [unique('Books'), randomUUID()];
  return {
    name,
    send: ({ app }: Pick<TestApp, 'app'> = testApp()) =>
      request(app)
        .post('/api/v1/tax_categories')
        .set({ 'X-Store-Token': admin.token, 'Idempotency-Key': key })
        .send({ tax_category: { name, description: text } }),
    count: async () => (await testDb()('tax_categories').where({ name })).length,
  };
}

const countRows = async (table: string) => Number((await testDb()(table).count({ n: '*' }))[0]!['n']);

async function bytesOf(table: string): Promise<number> {
  const { rows } = await testDb().raw(
    `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class WHERE relkind = 'r' AND relname LIKE ?`,
    [`${table}%`],
  );
  return Number(rows[0].bytes);
}

test('a reply is repeated after midnight, and after the job of the next day', async () => {
  await setDay(0);
  const { send, count } = await aRequest();
  const first = await send();
  expect(await countRows(`${SLOTS}0`)).toBe(1);
  await setDay(1);
  const { clean } = storeOf(0);
  await clean();
  const again = await send();
  expect([again.status, again.text, again.headers['idempotency-replayed']]).toEqual([
    ...[201, first.text, 'true'],
  ]);
  expect(await count()).toBe(1);
});

test('after a day keys go, and a day later their replies with the space they took', async () => {
  await setDay(0);
  const { send, count } = await aRequest(randomBytes(20_000).toString('hex'));
  expect((await send()).status).toBe(201);
  await setDay(2);
  const later = storeOf(1.5);
  expect(await bytesOf(`${SLOTS}0`)).toBeGreaterThan(10_000);
  expect(await later.clean()).toBe(1);
  expect([await countRows(`${SLOTS}0`), await countRows('idempotency_keys')]).toEqual([0, 0]);
  const { rows } = await testDb().raw(`SELECT pg_relation_size('${SLOTS}0') AS size`);
  expect(Number(rows[0].size)).toBe(0);
  // The request runs again: the name is taken.
  const anew = await send(later);
  expect([anew.status, anew.headers['idempotency-replayed'], await count()]).toEqual([422, undefined, 1]);
});

test('a reply that is gone before its key is refused, and nothing is done again', async () => {
  await setDay(0);
  const { send, count } = await aRequest();
  expect((await send()).status).toBe(201);
  await setDay(2);
  await storeOf(0).clean();
  const again = await send();
  expect([again.status, again.headers['x-error-code'], await count()]).toEqual([409, 'reply_lost', 1]);
});

test('the space does not grow with the days', async () => {
  const sizes: number[] = [];
  for (let day = 0; day < 9; day += 1) {
    await setDay(day);
    const store = storeOf(day);
    for (let n = 0; n < 8; n += 1) {
      const { send } = await aRequest(randomBytes(8_000).toString('hex'));
      expect((await send(store)).status).toBe(201);
    }
    await store.clean();
    sizes.push(await bytesOf(SLOTS));
  }
  expect(sizes[1]).toBeGreaterThan(sizes[0]!);
  expect(Math.max(...sizes.slice(4))).toBeLessThanOrEqual(Math.max(...sizes.slice(0, 4)));
  expect(await countRows('idempotency_replies')).toBe(16);
  expect(await countRows('idempotency_keys')).toBeLessThanOrEqual(16);
});

test('requests that are sent several times while the day changes have one effect and one reply', async () => {
  await setDay(0);
  const requests = await Promise.all(Array.from({ length: 12 }, () => aRequest()));
  const { clean } = storeOf(0);
  const switching = (async () => {
    for (let day = 0; day < 2; day += 1) {
      await setDay(day);
      await clean();
    }
  })();
  const replies = await Promise.all(requests.map(async ({ send }) => Promise.all([send(), send(), send()])));
  await switching;
  for (const [index, { send, count }] of requests.entries()) {
    const texts = new Set([...replies[index]!, await send()].map(({ status, text }) => `${status} ${text}`));
    expect([texts.size, await count()]).toEqual([1, 1]);
    expect([...texts][0]).toMatch(/^201 /);
  }
});

test('a backup that reads the slot neither delays requests nor the job', async () => {
  await setDay(0);
  const { send } = await aRequest();
  expect((await send()).status).toBe(201);
  await setDay(2);
  const { clean } = storeOf(0);
  await testDb().transaction(async (tx) => {
    await tx.raw('LOCK TABLE idempotency_replies IN ACCESS SHARE MODE');
    await clean();
    const other = await aRequest();
    expect([(await other.send()).status, (await other.send()).status]).toEqual([201, 201]);
    expect(await countRows(`${SLOTS}0`)).toBe(1);
  });
  await clean();
  expect(await countRows(`${SLOTS}0`)).toBe(0);
});

describe('beside instances of the version before', () => {
  test('what they read of a key is not empty and cannot be opened, so that they do nothing again', async () => {
    const { send } = await aRequest();
    await send();
    const [row] = await testDb()('idempotency_keys').select<{ reply: Buffer; digest: Buffer }[]>();
    expect(row!.reply).toHaveLength(1);
    const box = createSealedBox(testApp().deps.secret, 'idempotency');
    expect(() => box.open(row!.reply, row!.digest)).toThrow();
  });

  test('a reply that they have stored with the key is repeated', async () => {
    const { send, count } = await aRequest();
    const first = await send();
    await testDb().raw(`UPDATE idempotency_keys SET reply = kept.reply FROM idempotency_replies AS kept
      WHERE kept.digest = idempotency_keys.digest`);
    await testDb()('idempotency_replies').delete();
    expect([(await send()).text, await count()]).toEqual([first.text, 1]);
  });
});
