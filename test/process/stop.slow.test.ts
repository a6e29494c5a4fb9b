import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listProcesses } from '../../src/platform/database/embedded/processes';
import { copyDataFolder } from '../support/data-folder';
import { killPrograms, startProgram, type Program } from '../support/program';

/** Created once; each test runs a store on a copy. */
let original: string;
let folder: string;
let store: Program;

const temporaryFolder = () => realpathSync(mkdtempSync(path.join(tmpdir(), 'store-stop-')));

beforeAll(async () => {
  original = temporaryFolder();
  const first = await startProgram({ DATA_DIR: original, SEED: 'reference' });
  first.child.kill('SIGTERM');
  await first.exited;
});

afterAll(() => rmSync(original, { recursive: true }));

beforeEach(() => {
  folder = temporaryFolder();
  copyDataFolder(original, folder);
});

async function start(env: Record<string, string> = {}): Promise<void> {
  store = await startProgram({ DATA_DIR: folder, SEED: 'reference', ...env });
}

afterEach(() => {
  killPrograms();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

/** Opens a connection for raw HTTP. */
async function open(): Promise<{ socket: Socket; reply: Promise<string> }> {
  const { hostname, port } = new URL(store.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return { socket, reply: once(socket, 'close').then(() => text) };
}

const BODY = JSON.stringify({ email: 'nobody@example.com', password: 'not the password' });
const HEADERS = `POST /api/v1/orders HTTP/1.1\r\nHost: store\r\nContent-Type: application/json\r\n`;

/** Sends requests one after another until the store stops; no accepted request may be lost. */
async function keepAsking(results: { answered: number; lost: string[] }): Promise<void> {
  for (;;) {
    try {
      const reply = await fetch(`${store.url}/api/v1/countries?per_page=50`);
      await reply.arrayBuffer();
      results.answered += 1;
    } catch (error) {
      // Not instanceof: fetch throws errors of another realm.
      const { code } = (error as { cause: { code: string } }).cause;
      if (code !== 'ECONNREFUSED') results.lost.push(code);
      return;
    }
  }
}

test('SIGTERM under load: every accepted request gets a reply, partly sent bodies too; exit 0, no postgres process left', async () => {
  await start();
  const results = { answered: 0, lost: [] as string[] };
  const load = Array.from({ length: 20 }, () => keepAsking(results));
  const half = await open();
  half.socket.write(`${HEADERS}Content-Length: ${BODY.length}\r\n\r\n${BODY.slice(0, 20)}`);
  const silent = await open();
  while (results.answered < 100) await fetch(`${store.url}/health/live`);

  const started = performance.now();
  store.child.kill('SIGTERM');
  store.child.kill('SIGTERM'); // npm and the terminal may both pass a signal on
  await Promise.all(load);
  half.socket.write(BODY.slice(20));

  expect(await half.reply).toMatch(/^HTTP\/1\.1 [2-4]\d\d [\s\S]*Connection: close/i);
  expect(await silent.reply).toBe('');
  expect(await store.exited).toBe(0);
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(results.lost).toEqual([]);
  expect(listProcesses(path.join(folder, 'postgres'))).toEqual([]);
});

test.each([['1'], ['2']])(
  'SHUTDOWN_DELAY_MS keeps the port open and the store not ready (WORKERS=%s)',
  async (WORKERS) => {
    await start({ WORKERS, SHUTDOWN_DELAY_MS: '2000' });
    const started = performance.now();
    store.child.kill('SIGTERM');

    const seen = new Set<number>();
    let products = 0;
    try {
      for (;;) {
        seen.add((await fetch(`${store.url}/health/ready`)).status);
        products = (await fetch(`${store.url}/api/v1/products`)).status;
      }
    } catch {
      // the port is closed
    }
    expect(performance.now() - started).toBeGreaterThan(1_900);
    expect(seen).toContain(503);
    expect(products).toBe(200);
    expect(await store.exited).toBe(0);
  },
);

test('a missing body returns 408 before the deadline', async () => {
  await start();
  const half = await open();
  half.socket.write(`${HEADERS}Content-Length: 1000\r\n\r\n{`);
  const started = performance.now();
  store.child.kill('SIGINT');

  const reply = await half.reply;
  expect(reply).toMatch(/^HTTP\/1\.1 408 /);
  expect(reply).toMatch(/\{"error":"The service is restarting\. Please try again\."\}$/);
  expect(await store.exited).toBe(0);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('while stopping it is not ready and keeps no connections alive', async () => {
  await start();
  const half = await open();
  half.socket.write(`${HEADERS}Content-Length: ${BODY.length}\r\n\r\n`);
  const waiting = await open();
  waiting.socket.write('GET /health/ready HTTP/1.1\r\nHost: store\r\nX-Wait: ');
  await fetch(`${store.url}/health/live`);

  store.child.kill('SIGTERM');
  while (!store.output().includes('"stopping"')) await once(store.child.stdout ?? process.stdin, 'data');
  waiting.socket.write('1\r\n\r\n');

  expect(await waiting.reply).toMatch(/^HTTP\/1\.1 503 [\s\S]*\{"status":"unavailable"\}$/);
  half.socket.write(BODY);
  await half.reply;
  expect(await store.exited).toBe(0);
});

test('after kill -9 it starts again without intervention, on the same data', async () => {
  await start();
  const [, pid] = [store.child.kill('SIGKILL'), await store.exited];
  expect(pid).toBeNull();
  expect(listProcesses(path.join(folder, 'postgres')).length).toBeGreaterThan(0);

  await start();
  const reply = await fetch(`${store.url}/api/v1/countries?per_page=1`);
  expect(await reply.json()).toMatchObject({ total_count: 249 });
});

test('a second store on the folder fails with one line', async () => {
  await start();
  await expect(startProgram({ DATA_DIR: folder })).rejects.toThrow(
    `DATA_DIR ${folder} is in use by another process (${store.child.pid ?? 0}): stop that process, or set another DATA_DIR`,
  );
  expect((await fetch(`${store.url}/health/ready`)).status).toBe(200);
});
