import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { migrations } from '../../migrations';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { ownDatabaseUrl } from '../seeds/own-database';
import { testDatabaseUrl } from '../setup/test-server';
import { runStoreCommand } from '../support/command-line';
import { createEmptyDatabase } from '../support/database';
import { unique } from '../support/unique';

const all = migrations.map(({ name }) => name);
const everything = [...all, 'functions', 'queue'];

async function emptyDatabaseUrl(): Promise<string> {
  const name = unique('store_cli').replaceAll('-', '_').toLowerCase();
  await createEmptyDatabase(name);
  return testDatabaseUrl(name);
}

async function on(url: string, work: (db: Knex) => PromiseLike<unknown>): Promise<void> {
  const db = connectDatabase({ url, poolSize: 1, log: pino({ level: 'error' }) });
  await work(db);
  await closeDatabase(db);
}

async function result(argv: readonly string[], DATABASE_URL: string) {
  const { code, stdout } = await runStoreCommand([...argv, '--json'], { DATABASE_URL });
  return { code, ...JSON.parse(stdout) };
}

test('migrate runs up and down, and status reports the progress', async () => {
  const url = await emptyDatabaseUrl();
  const nothing = { code: 1, applied: [], pending: everything, unknown: [] };
  expect(await result(['migrate', 'status'], url)).toEqual(nothing);

  expect(await result(['migrate'], url)).toEqual({ code: 0, direction: 'up', migrations: everything });
  expect(await result(['migrate', 'up'], url)).toEqual({ code: 0, direction: 'up', migrations: [] });
  expect(await result(['migrate', 'status'], url)).toEqual({
    code: 0,
    applied: all,
    pending: [],
    unknown: [],
  });

  const down = { code: 0, direction: 'down', migrations: [...all].reverse() };
  expect(await result(['migrate', '--down'], url)).toEqual(down);
  // The queue is not one of the migrations, and stays.
  const left = { ...nothing, pending: [...all, 'functions'] };
  expect(await result(['migrate', 'status'], url)).toEqual(left);
});

test('commands refuse a database with pending migrations and name the remedy', async () => {
  const url = await emptyDatabaseUrl();
  for (const argv of [['verify'], ['user', 'create', 'a@example.com'], ['token', 'list', '1']]) {
    expect(await runStoreCommand(argv, { DATABASE_URL: url })).toEqual({
      code: 1,
      stdout: '',
      stderr: `Migrations are pending (${everything.length}, starting with ${all[0]}): run npm run migrate, or start the store\n`,
    });
  }
});

test('commands refuse a database that is newer than the program', async () => {
  const url = await ownDatabaseUrl();
  await on(url, (db) =>
    db('knex_migrations').insert({ name: '29990101_0000_tomorrow', batch: 9, migration_time: new Date(0) }),
  );

  for (const argv of [['verify'], ['migrate'], ['migrate', 'down'], ['seed', 'none']]) {
    const { code, stderr } = await runStoreCommand(argv, { DATABASE_URL: url });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^The database is newer than this program .*run the newer version/),
    });
  }
  expect(await result(['migrate', 'status'], url)).toMatchObject({
    code: 1,
    pending: [],
    unknown: ['29990101_0000_tomorrow'],
  });
});

test('seed none loads countries and states only, reference sets up the store, repeating changes nothing', async () => {
  const url = await emptyDatabaseUrl();
  const filled = { code: 0, demo: false, demo_orders: null, products: 0 };
  const folder = mkdtempSync(path.join(os.tmpdir(), 'store-cli-'));
  const seed = async (...argv: string[]) => {
    const { code, stdout } = await runStoreCommand(['seed', ...argv, '--json'], {
      DATABASE_URL: url,
      DATA_DIR: folder,
    });
    return { code, ...JSON.parse(stdout) };
  };
  try {
    expect(await seed('none')).toEqual({
      ...filled,
      mode: 'none',
      migrations: everything,
      reference: false,
    });
    await on(url, async (db) => {
      expect(await db('countries').where({ iso: 'DE' })).toHaveLength(1);
      expect(await db('zones')).toEqual([]);
    });

    expect(await seed()).toEqual({ ...filled, mode: 'reference', migrations: [], reference: true });
    expect(await seed('reference')).toMatchObject({ code: 0, reference: false });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('commands that need a store do not create one', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'store-cli-'));
  for (const argv of [['verify'], ['migrate', 'status'], ['migrate', '--down'], ['token', 'list', '1']]) {
    expect(await runStoreCommand(argv, { DATA_DIR: folder })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^there is no store in \S+; run npm start to create one/),
    });
  }
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});
