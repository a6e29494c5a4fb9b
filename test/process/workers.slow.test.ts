import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endProcesses, listProcesses } from '../../src/platform/database/embedded/processes';
import { killPrograms, startProgram, type Program } from '../support/program';

let folder: string;
let store: Program;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-workers-')));
  store = await startProgram({ DATA_DIR: folder, SEED: 'reference', WORKERS: '2', LOG_LEVEL: 'info' });
}, 60_000);

afterEach(async () => {
  killPrograms();
  await endProcesses(path.join(folder, 'postgres'));
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

/**
 * Sends requests one after another, each over a new connection, until the store stops.
 * @returns the number of replies
 */
async function keepReading(results: { answered: number }): Promise<void> {
  for (;;) {
    try {
      const reply = await fetch(`${store.url}/api/v1/countries?per_page=5`, {
        headers: { Connection: 'close' },
      });
      await reply.arrayBuffer();
      results.answered += 1;
    } catch (error) {
      // Not instanceof: fetch throws errors of another realm. A connection that no worker has accepted when the port
      // closes is refused or reset by the kernel; the log tells whether a request was served.
      const { code } = (error as { cause: { code: string } }).cause;
      expect(['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET']).toContain(code);
      return;
    }
  }
}

test('two processes serve one port, print the start messages once and complete every request that they have begun', async () => {
  expect(store.output().match(/X-Store-Token/g)).toHaveLength(1);
  const results = { answered: 0 };
  const load = Array.from({ length: 10 }, () => keepReading(results));
  while (results.answered < 50) await fetch(`${store.url}/health/ready`);
  store.child.kill('SIGTERM');
  await Promise.all(load);
  expect(await store.exited).toBe(0);
  expect(store.output().match(/"route":"\/api\/v1\/countries"/g)).toHaveLength(results.answered);
  expect(store.output().match(/"msg":"stopped"/g)).toHaveLength(1);
  expect(listProcesses(path.join(folder, 'postgres'))).toEqual([]);
}, 60_000);

/**
 * Requests /health/ready over a new connection. Null if the connection is lost: Node.js neither answers nor closes one that it
 * was handing over to a worker when the worker died.
 */
async function tryRequest(): Promise<number | null> {
  const options = { headers: { Connection: 'close' }, signal: AbortSignal.timeout(5_000) };
  return fetch(`${store.url}/health/ready`, options).then(
    ({ status }) => status,
    () => null,
  );
}

test('a worker that dies is replaced, and the others serve in the meantime', async () => {
  const pid = await findWorker(store.child.pid ?? 0);
  process.kill(pid, 'SIGKILL');
  const statuses: (number | null)[] = [];
  for (let time = 0; time < 20; time += 1) statuses.push(await tryRequest());
  expect(statuses.slice(3)).toEqual(Array.from({ length: 17 }, () => 200));
  while ((await listChildren(store.child.pid ?? 0)).filter((child) => child !== pid).length < 2)
    await tryRequest();
  store.child.kill('SIGTERM');
  expect(await store.exited).toBe(0);
}, 60_000);

test('the workers stop when the main process is killed', async () => {
  const workers = await listChildren(store.child.pid ?? 0);
  store.child.kill('SIGKILL');
  const isRunning = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  while (workers.some(isRunning)) await new Promise((resolve) => setImmediate(resolve));
  await expect(fetch(`${store.url}/health/live`)).rejects.toThrow();
}, 60_000);

/** Returns the node processes that a process has started. */
async function listChildren(parent: number): Promise<number[]> {
  const found: number[] = [];
  for (const name of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (Number(fields[1]) === parent && command.includes('start.js') && fields[0] !== 'Z')
      found.push(Number(name));
  }
  return found;
}

async function findWorker(parent: number): Promise<number> {
  const [pid] = await listChildren(parent);
  if (pid === undefined) throw new Error('there is no worker');
  return pid;
}
