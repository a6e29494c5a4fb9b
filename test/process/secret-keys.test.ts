import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadStoreSecret } from '../../src/boot/store-secret';
import { anAdmin } from '../support/accounts.factory';
import { api, makeTestApp } from '../support/api';
import { testDb } from '../support/database';
import { unique } from '../support/unique';

let dataDir: string;
beforeEach(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'store-secret-'));
  await testDb()('secret_keys').delete();
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const load = (secretKey: string | null, secretKeyPrevious: string | null = null, isReadOnly = false) =>
  loadStoreSecret({ secretKey, secretKeyPrevious, dataDir, isReadOnly }, testDb());

const [FIRST, SECOND] = ['the first secret key', 'the second secret key'];

test('an instance with another SECRET_KEY does not start', async () => {
  const key = await load(FIRST);
  expect(await load(FIRST)).toEqual(key);
  await expect(load(SECOND)).rejects.toThrow('SECRET_KEY is not the one that this database was used with');
  await expect(load(null)).rejects.toThrow('SECRET_KEY is not the one');
  await expect(load(SECOND, 'a third secret key')).rejects.toThrow('SECRET_KEY_PREVIOUS');
  const [row] = await testDb()('secret_keys').select<{ sealed_key: Buffer }[]>();
  expect(row!.sealed_key.includes(key)).toBe(false);
});

test('concurrent first starts agree', async () => {
  const keys = await Promise.all([1, 2, 3, 4].map(() => load(FIRST)));
  for (const key of keys) expect(key).toEqual(keys[0]);
});

test('SECRET_KEY_PREVIOUS changes the key; tokens and kept replies stay, instances that run agree', async () => {
  const before = await load(FIRST);
  const running = makeTestApp({ secret: before });
  const changed = makeTestApp({ secret: await load(SECOND, FIRST) });
  expect(await load(SECOND)).toEqual(before);
  await expect(load(FIRST)).rejects.toThrow('SECRET_KEY is not the one');
  const admin = { ...(await anAdmin()), headers: { 'Idempotency-Key': unique('key') } };
  const body = { tax_category: { name: unique('Books') } };
  const first = await api(admin, running).post('/tax_categories', body);
  const again = await api(admin, changed).post('/tax_categories', body);
  expect([first.status, again.headers['idempotency-replayed'], again.text]).toEqual([
    201,
    'true',
    first.text,
  ]);
});

test('a key that was generated in DATA_DIR is replaced by SECRET_KEY', async () => {
  const generated = await load(null);
  expect(await load(FIRST)).toEqual(generated);
  await expect(load(null)).rejects.toThrow('SECRET_KEY is not the one');
});

test('a store that already has tokens keeps the key that they are derived from', async () => {
  const order = (await api().post('/orders', {})).body;
  expect(order.token).toBeDefined();

  expect(await load(FIRST)).toEqual(createHash('sha256').update(FIRST).digest());
});

test('a read-only instance stores nothing, and refuses another key', async () => {
  await load(FIRST, null, true);
  expect(await testDb()('secret_keys')).toEqual([]);
  const key = await load(FIRST);
  expect(await load(SECOND, FIRST, true)).toEqual(key);
  expect(await load(FIRST, null, true)).toEqual(key);
  await expect(load(SECOND, null, true)).rejects.toThrow('SECRET_KEY is not the one');
});
