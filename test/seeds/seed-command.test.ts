import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { readSeedOrder } from '../../src/cli/seed-order';
import { StartupError } from '../../src/platform/startup-error';
import { ownDatabaseUrl } from './own-database';

const ROOT = path.resolve(__dirname, '../..');
const folder = mkdtempSync(path.join(os.tmpdir(), 'store-seed-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
  code: number | null;
  stderr: string;
}

/** What `npm run seed -- <args>` does, without npm. */
function seed(args: readonly string[], databaseUrl: string): Promise<Outcome> {
  const command = spawn(process.execPath, ['--import', 'tsx', 'src/cli/seed.ts', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  command.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  return new Promise((resolve) => command.on('close', (code) => resolve({ code, stderr })));
}

describe('readSeedOrder', () => {
  test.each([
    [['--demo'], { demo: true, products: 0, images: 0 }],
    [['--reference'], { demo: false, products: 0, images: 0 }],
    [['--products', '100000', '--images', '2'], { demo: false, products: 100_000, images: 2 }],
    [['--demo', '--products=10'], { demo: true, products: 10, images: 0 }],
  ])('%j', (args, order) => {
    expect(readSeedOrder(args)).toEqual(order);
  });

  test.each([
    [[], 'There is nothing to do. Usage: npm run seed -- '],
    [['--images', '2'], 'There is nothing to do. Usage: '],
    [['--products', '1e3'], '--products must be a whole number up to 5000000. Usage: '],
    [['--products', '5000001'], '--products must be a whole number up to 5000000. Usage: '],
    [['--products', '5', '--images', '9'], '--images must be a whole number up to 8. Usage: '],
    [['--demo', '--reference'], '--demo includes --reference: give one of them. Usage: '],
    [['--everything'], "Unknown option '--everything'"],
  ])('refuses %j', (args, message) => {
    expect(() => readSeedOrder(args)).toThrow(StartupError);
    expect(() => readSeedOrder(args)).toThrow(message);
  });
});

test('a misuse is one line and exit code 1, before any database is looked for', async () => {
  const { code, stderr } = await seed(['--products', 'many'], 'postgres://nobody@127.0.0.1:1/none');
  expect(code).toBe(1);
  expect(stderr.trimEnd().split('\n')).toEqual([
    expect.stringContaining('--products must be a whole number'),
  ]);
});

test('load-test products come with a progress bar', async () => {
  const url = await ownDatabaseUrl();
  const first = await seed(['--products', '40', '--images', '1'], url);
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('products 40 of 40 (100 %)') });

  const db = connectDatabase({ url, poolSize: 1, log: pino({ level: 'error' }) });
  try {
    expect(await db('products').count().first()).toEqual({ count: '40' });
    expect(await db('images').count().first()).toEqual({ count: '40' });
  } finally {
    await closeDatabase(db);
  }
});
