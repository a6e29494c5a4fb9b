import { randomBytes } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { findFreePort } from '../../src/platform/database/embedded/postmaster';
import { testDatabaseUrl } from '../setup/test-server';
import { cloneTemplate, createEmptyDatabase, dropClone } from '../support/database';
import { expectFailedStart, killPrograms, startProgram } from '../support/program';

/** The advisory lock of the migrations, which this test holds to keep the store migrating. */
const MIGRATION_LOCK = 7_340_129_118;

const databases: string[] = [];
let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-starting-')));
});

afterAll(async () => {
  killPrograms();
  for (const name of databases) await dropClone(name);
  rmSync(folder, { recursive: true, force: true });
});

function nameDatabase(): string {
  const name = `store_starting_${randomBytes(4).toString('hex')}`;
  databases.push(name);
  return name;
}

interface Reply {
  status: number;
  headers: Record<string, unknown>;
  body: unknown;
}

/** Null if nothing listens, or stopped listening: before it starts workers, the store checks the port by opening it. */
async function readIfListening(url: string): Promise<Reply | null> {
  return read(url).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET') return null;
    throw error;
  });
}

async function read(url: string, agent?: Agent): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, body: JSON.parse(text) });
      });
    });
    request.on('error', reject);
  });
}

async function untilListening(url: string): Promise<Reply> {
  for (;;) {
    const reply = await readIfListening(`${url}/health/live`);
    if (reply !== null) return reply;
  }
}

test.each(['1', '2'])(
  'with %s workers, the port is open while the store migrates, and connections outlive it',
  async (workers) => {
    const name = nameDatabase();
    await createEmptyDatabase(name);
    const lock = new Client({ connectionString: testDatabaseUrl(name) });
    await lock.connect();
    await lock.query(`SELECT pg_advisory_lock(${MIGRATION_LOCK})`);
    const port = await findFreePort(null);
    const url = `http://127.0.0.1:${port}`;
    const starting = startProgram({
      PORT: String(port),
      WORKERS: workers,
      DATABASE_URL: testDatabaseUrl(name),
      DATA_DIR: folder,
      SECRET_KEY: 'correct horse battery',
      SEED: 'reference',
    });

    expect(await untilListening(url)).toMatchObject({ status: 200, body: { status: 'live' } });
    const kept = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await read(`${url}/health/ready`, kept)).toMatchObject({
      status: 503,
      headers: { 'cache-control': 'no-store' },
      body: { status: 'migrating' },
    });
    for (const place of ['/api/v1/countries', '/docs', '/anything'])
      expect(await read(`${url}${place}`, kept)).toMatchObject({
        status: 503,
        headers: { 'retry-after': '5', 'x-error-code': 'overloaded', 'x-content-type-options': 'nosniff' },
        body: { error: 'The store is starting. Please try again.' },
      });
    await lock.end();

    const program = await starting;
    expect(program.url).toBe(url);
    expect(await read(`${url}/health/ready`, kept)).toMatchObject({ status: 200, body: { status: 'ready' } });
    expect(await read(`${url}/api/v1/countries`, kept)).toMatchObject({ status: 200 });
    kept.destroy();
    program.child.kill('SIGTERM');
    expect(await program.exited).toBe(0);
  },
);

test('workers that listen already end with a store that cannot start, which prints one line', async () => {
  const name = nameDatabase();
  await cloneTemplate(name);
  const client = new Client({ connectionString: testDatabaseUrl(name) });
  await client.connect();
  await client.query(
    `INSERT INTO knex_migrations (name, batch, migration_time) VALUES ('29990101_0000_tomorrow', 9, now())`,
  );
  await client.end();
  const port = await findFreePort(null);

  const { code, stderr } = await expectFailedStart({
    PORT: String(port),
    WORKERS: '2',
    DATABASE_URL: testDatabaseUrl(name),
    DATA_DIR: folder,
  });
  expect(stderr.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^The database is newer than this program /),
  ]);
  expect(code).toBe(1);
  await expect(read(`http://127.0.0.1:${port}/health/live`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('with workers, a port in use is reported once', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? String(address.port) : '';

  const { code, stderr } = await expectFailedStart({ PORT: port, WORKERS: '2', DATA_DIR: folder });
  expect(stderr).toBe(
    `Port ${port} on 127.0.0.1 is in use: stop the program that uses it, or set another PORT\n`,
  );
  expect(code).toBe(1);
  server.close();
});
