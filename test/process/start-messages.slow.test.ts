import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runStoreCommand } from '../support/command-line';
import { cloneTemplate } from '../support/database';
import { expectFailedStart, killPrograms } from '../support/program';
import { testDatabaseUrl } from '../setup/test-server';
import { Client } from 'pg';

afterAll(killPrograms);

/** Expects exit code 1 and the message as the only line. */
async function expectOneLine(env: Record<string, string>, message: string | RegExp): Promise<void> {
  const { code, stderr } = await expectFailedStart(env);
  const lines = stderr.trimEnd().split('\n');
  expect(lines).toEqual([typeof message === 'string' ? message : expect.stringMatching(message)]);
  expect(code).toBe(1);
}

async function templateCopy(name: string): Promise<string> {
  await cloneTemplate(name);
  return testDatabaseUrl(name);
}

test('invalid settings are reported together, without their values', async () => {
  await expectOneLine(
    { PORT: 'http', ADMIN_PASSWORD: 'ab1', DATABASE_URL: 'mysql://root:secret@db/x' },
    /^(?!.*(ab1|secret))PORT must be a whole number from 0 to 65535; DATABASE_URL must be a URL like .*; ADMIN_PASSWORD must be 6 to 128 characters long$/,
  );
});

test.each([
  [undefined, 'production'],
  ['', 'production'],
  ['development', 'development'],
])('NODE_ENV %p is %s', (NODE_ENV, expected) => {
  const code = `process.on('exit', () => console.log(process.env.NODE_ENV)); require('./bin/start.js')`;
  const { stdout } = spawnSync(process.execPath, ['-e', code], {
    cwd: path.resolve(__dirname, '../..'),
    env: { PATH: process.env.PATH, PORT: 'invalid', ...(NODE_ENV !== undefined && { NODE_ENV }) },
    encoding: 'utf8',
  });
  expect(stdout.trim()).toBe(expected);
});

test('a port in use', async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const address = holder.address();
  const port = typeof address === 'object' && address !== null ? String(address.port) : '';

  await expectOneLine(
    { PORT: port, DATABASE_URL: testDatabaseUrl('postgres') },
    `Port ${port} on 127.0.0.1 is in use: stop the program that uses it, or set another PORT`,
  );
  holder.close();
});

test('an address of another machine', async () => {
  await expectOneLine(
    { HOST: '192.0.2.1', PORT: '3000', DATABASE_URL: testDatabaseUrl('postgres') },
    /^HOST 192\.0\.2\.1 is not an address of this machine: /,
  );
});

test('an unreachable database', async () => {
  await expectOneLine(
    { DATABASE_URL: 'postgres://store:secret@127.0.0.1:1/store' },
    'The database at 127.0.0.1:1 cannot be reached (ECONNREFUSED): start it, or correct DATABASE_URL',
  );
});

test('a DATABASE_DIRECT_URL that leads nowhere, for the server and for commands', async () => {
  const settings = {
    DATABASE_URL: testDatabaseUrl('postgres'),
    DATABASE_DIRECT_URL: 'postgres://store:secret@127.0.0.1:1/store',
  };
  const message =
    'The database at 127.0.0.1:1 cannot be reached (ECONNREFUSED): start it, or correct DATABASE_DIRECT_URL';

  await expectOneLine(settings, message);
  expect(await runStoreCommand(['migrate', 'status'], settings)).toMatchObject({
    code: 1,
    stderr: `${message}\n`,
  });
});

test('a wrong password', async () => {
  const url = new URL(testDatabaseUrl('postgres'));
  url.password = 'not-the-password';

  await expectOneLine(
    { DATABASE_URL: url.href },
    /^The database at \S+ rejects user "store": correct the user and the password in DATABASE_URL$/,
  );
});

test('no password', async () => {
  const url = new URL(testDatabaseUrl('postgres'));
  url.password = '';

  await expectOneLine({ DATABASE_URL: url.href }, /rejects user "store"/);
});

test('a database that does not exist', async () => {
  await expectOneLine(
    { DATABASE_URL: testDatabaseUrl('nowhere') },
    /^There is no database "nowhere" at \S+: create it \(createdb nowhere\), or correct DATABASE_URL$/,
  );
});

test('a database that is newer than the program', async () => {
  const url = await templateCopy('store_ahead');
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(
    `INSERT INTO knex_migrations (name, batch, migration_time) VALUES ('29990101_0000_tomorrow', 9, now())`,
  );
  await client.end();

  await expectOneLine(
    { DATABASE_URL: url },
    /^The database is newer than this program \(it has 29990101_0000_tomorrow\): run the newer version, /,
  );
});

test('a database user who may not create tables', async () => {
  const client = new Client({ connectionString: testDatabaseUrl('postgres') });
  await client.connect();
  await client.query(`CREATE DATABASE store_bare; `);
  await client.query(`CREATE ROLE store_guest LOGIN PASSWORD 'guest'`);
  await client.end();
  const url = new URL(testDatabaseUrl('store_bare'));
  url.username = 'store_guest';
  url.password = 'guest';

  await expectOneLine(
    { DATABASE_URL: url.href },
    /^The database user may not set up the store \(permission denied/,
  );
});

test('a DATA_DIR that cannot be a folder, also with an external database', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'store-message-'));
  const file = path.join(folder, 'file');
  writeFileSync(file, '');

  for (const database of [
    {},
    { DATABASE_URL: testDatabaseUrl('postgres'), SECRET_KEY: 'correct horse battery' },
  ])
    await expectOneLine(
      { DATA_DIR: file, ...database },
      /^DATA_DIR \S+file is not a writable folder \(\w+\): make it writable/,
    );
  rmSync(folder, { recursive: true });
});
