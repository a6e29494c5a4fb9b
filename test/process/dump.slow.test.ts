import {
  existsSync,
  mkdirSync,
  readFileSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testDatabaseUrl } from '../setup/test-server';
import { runStoreProgram } from '../support/command-line';
import { createEmptyDatabase, ensureTestDatabase } from '../support/database';
import { findSystemPostgres, startSystemPostgres, type SystemServer } from '../support/pg-server';
import { killPrograms, startProgram } from '../support/program';
import { queryUrl } from '../support/query-url';
import { unique } from '../support/unique';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-dump-')));
const bin = findSystemPostgres();
let server: SystemServer | null = null;

beforeAll(async () => {
  server = bin === null ? null : await startSystemPostgres(bin);
});

afterAll(async () => {
  killPrograms();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('without pg_dump, or with one that is too old, backup says what to run and leaves nothing', async () => {
  const DATABASE_URL = await ensureTestDatabase();
  const old = path.join(folder, 'bin');
  mkdirSync(old, { recursive: true });
  const target = path.join(folder, 'refused');
  const run = async () => {
    const { code, stderr } = await runStoreProgram(['backup', target], {
      DATABASE_URL,
      DATA_DIR: folder,
      PATH: old,
    });
    expect(existsSync(target)).toBe(false);
    expect(existsSync(`${target}.partial`)).toBe(false);
    expect(stderr).toContain(
      '\n  pg_dump --format=custom --no-owner --no-privileges --file=database.dump "$DATABASE_URL"\n',
    );
    return { code, line: stderr.split('\n')[0] };
  };
  const wanted = 'install postgresql-client-18, or run where it is installed:';
  expect(await run()).toEqual({
    code: 1,
    line: `pg_dump is not installed here, and the server needs 18 or newer; ${wanted}`,
  });
  writeFileSync(path.join(old, 'pg_dump'), '#!/bin/sh\necho "pg_dump (PostgreSQL) 15.9"\n', { mode: 0o755 });
  expect(await run()).toEqual({
    code: 1,
    line: `pg_dump is of version 15 here, and the server needs 18 or newer; ${wanted}`,
  });
});

test('a dump that fails, such as on a full disk, names the cause and leaves nothing', async () => {
  const full = path.join(folder, 'full');
  mkdirSync(full);
  writeFileSync(
    path.join(full, 'pg_dump'),
    '#!/bin/sh\nif [ "$1" = --version ]; then echo "pg_dump (PostgreSQL) 99.1"; exit; fi\n' +
      'echo "pg_dump: error: could not write to output file: No space left on device" >&2; exit 1\n',
    { mode: 0o755 },
  );
  const target = path.join(folder, 'too large');
  expect(
    await runStoreProgram(['backup', target], {
      DATABASE_URL: await ensureTestDatabase(),
      DATA_DIR: folder,
      PATH: full,
    }),
  ).toMatchObject({
    code: 1,
    stderr:
      'pg_dump failed (pg_dump: error: could not write to output file: No space left on device); nothing was changed, correct the cause and retry\n',
  });
  expect([existsSync(target), existsSync(`${target}.partial`)]).toEqual([false, false]);
});

test('a database whose first migration was interrupted is backed up too', async () => {
  const programs = path.join(folder, 'programs');
  mkdirSync(programs);
  writeFileSync(
    path.join(programs, 'pg_dump'),
    '#!/bin/sh\nif [ "$1" = --version ]; then echo "pg_dump (PostgreSQL) 99.1"; exit; fi\n' +
      'for option; do case $option in --file=*) echo dump > "${option#--file=}"; esac; done\n',
    { mode: 0o755 },
  );
  const name = unique('store_dump').replaceAll('-', '_').toLowerCase();
  await createEmptyDatabase(name);
  const settings = { DATABASE_URL: testDatabaseUrl(name), DATA_DIR: folder, PATH: programs };
  expect(await runStoreProgram(['backup', path.join(folder, 'early')], settings)).toMatchObject({ code: 0 });
});

(bin === null ? test.skip : test)(
  `a dump restores into an empty database${bin === null ? ' (skipped: no PostgreSQL is installed here)' : ''}`,
  async () => {
    if (server === null) throw new Error('the server runs');
    for (const name of ['store', 'copy']) await queryUrl(server.url, `CREATE DATABASE ${name}`);
    // The server trusts every password.
    const url = (name: string) =>
      new URL(`/${name}`, server?.url.replace('postgres@', 'postgres:secret@')).href;
    const settings = (name: string) => ({
      DATABASE_URL: url(name),
      DATA_DIR: path.join(folder, name),
      PATH: `${bin}:${process.env.PATH}`,
    });
    const store = await startProgram({ ...settings('store'), SEED: 'demo' });
    store.child.kill('SIGTERM');
    await store.exited;

    const target = path.join(folder, 'backup');
    expect(await runStoreProgram(['backup', target], settings('store'))).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(statSync(path.join(target, 'database.dump')).mode & 0o077).toBe(0);
    expect(await runStoreProgram(['restore', target], settings('copy'))).toMatchObject({
      code: 0,
      stderr: '',
    });
    const again = await runStoreProgram(['restore', target], settings('copy'));
    expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/^the database is not empty; /) });
    expect(await runStoreProgram(['restore', target, '--replace'], settings('copy'))).toMatchObject({
      code: 0,
    });

    expect(await runStoreProgram(['verify'], settings('copy'))).toMatchObject({ code: 0 });
    const count = 'SELECT (SELECT count(*) FROM products) AS products, (SELECT count(*) FROM users) AS users';
    expect(await queryUrl(url('copy'), count)).toEqual(await queryUrl(url('store'), count));
    const copy = await startProgram({ ...settings('copy'), SEED: 'none' });
    const { products }: any = await (await fetch(`${copy.url}/api/v1/products?per_page=50`)).json();
    const [image] = products.flatMap((product: any) => product.master.images);
    expect((await fetch(new URL(image.large_url, copy.url))).status).toBe(200);
  },
);

(bin === null ? test.skip : test)(
  'with two roles, the role of the store makes a backup, and the owner restores it',
  async () => {
    if (server === null) throw new Error('the server runs');
    const roles = readFileSync(path.resolve(__dirname, '../../docs/roles.sql'), 'utf8');
    const settings = (name: string, role: string) => {
      const url = new URL(`/${name}`, server?.url);
      Object.assign(url, { username: role, password: 'the server trusts every one' });
      return {
        DATABASE_URL: url.href,
        DATA_DIR: path.join(folder, name),
        PATH: `${bin}:${process.env.PATH}`,
        SECRET_KEY: 'the same for both roles, and long enough',
      };
    };
    for (const name of ['owned', 'owned_copy']) {
      await queryUrl(server.url, `CREATE DATABASE ${name}`);
      await queryUrl(new URL(`/${name}`, server.url).href, roles);
    }
    const run = async (args: string[], name: string, role: string) =>
      runStoreProgram(args, settings(name, role));
    for (const args of [['migrate'], ['seed', 'reference']])
      expect(await run(args, 'owned', 'store_owner')).toMatchObject({ code: 0 });

    const target = path.join(folder, 'backup of two roles');
    expect(await run(['backup', target], 'owned', 'store_app')).toMatchObject({ code: 0, stderr: '' });
    expect(await run(['restore', target], 'owned_copy', 'store_app')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /permission denied.*; nothing was changed, use the role that owns the tables \(store_owner/,
      ),
    });
    for (const flags of [[], ['--replace']]) {
      const restored = await run(['restore', target, ...flags], 'owned_copy', 'store_owner');
      expect(restored).toMatchObject({ code: 0, stderr: '' });
      expect(await run(['verify'], 'owned_copy', 'store_app')).toMatchObject({ code: 0 });
    }
    const copy = await startProgram({ ...settings('owned_copy', 'store_app'), SEED: 'none' });
    expect((await fetch(`${copy.url}/api/v1/orders`, { method: 'POST' })).status).toBe(201);
  },
);
