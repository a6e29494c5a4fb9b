import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { runStoreCommand } from '../support/command-line';
import { ownDatabaseUrl } from './own-database';

const folder = mkdtempSync(path.join(os.tmpdir(), 'store-seed-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('creates load-test products with a progress bar and without the demo store', async () => {
  const url = await ownDatabaseUrl();
  const settings = { DATABASE_URL: url, DATA_DIR: folder, SEED: 'demo' };
  const done = await runStoreCommand(['seed', '--products', '40', '--images', '1'], settings);
  expect(done).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Load-test products: at least 40.'),
    stderr: expect.stringContaining('products 40 of 40 (100 %)'),
  });

  const db = connectDatabase({ url, poolSize: 1, log: pino({ level: 'error' }) });
  try {
    expect(await db('products').count().first()).toEqual({ count: '40' });
    expect(await db('images').count().first()).toEqual({ count: '40' });
  } finally {
    await closeDatabase(db);
  }
});
