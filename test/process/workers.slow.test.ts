import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endProcesses, listProcesses } from '../../src/platform/database/embedded/processes';
import { killPrograms, listWorkers, startProgram, type Program } from '../support/program';

let folder: string;
let store: Program;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-workers-')));
  store = await startProgram({ DATA_DIR: folder, SEED: 'reference', WORKERS: '2', LOG_LEVEL: 'info' });
});

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
      const reply = await fetch(`${store.url}/api/v1/states?per_page=5`, {
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

/** Metrics count all processes, whichever answers. */
async function expectSharedMetrics(): Promise<void> {
  for (let sent = 0; sent < 40; sent += 1)
    await fetch(`${store.url}/api/v1/countries`, { headers: { Connection: 'close' } }).then((reply) =>
      reply.text(),
    );
  const valueOf = async (pattern: RegExp) => {
    const reply = await fetch(`${store.url}/metrics`, { headers: { Connection: 'close' } });
    return Number(pattern.exec(await reply.text())?.[1]);
  };
  const requests =
    /^http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/countries",status="200"\} (\d+)/m;
  // The counts of the other worker may still be on their way.
  while ((await valueOf(requests)) < 40);
  for (let reads = 0; reads < 4; reads += 1) expect(await valueOf(requests)).toBe(40);
  expect(await valueOf(/^store_processes\{.*\} (\d+)/m)).toBe(3);
  expect(await valueOf(/^store_db_pool_size\{pool="primary"\} (\d+)/m)).toBe(30);
  // Runs are recorded every ten seconds. Without one, the test ends by its time limit.
  const runs = /^store_job_runs_total\{job="fold catalog revisions",outcome="success"\} (\d+)/m;
  while (!((await valueOf(runs)) > 0));
}

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

/** A worker that dies is replaced, and the others serve in the meantime. */
async function expectReplacement(): Promise<void> {
  const [pid = 0] = await listWorkers(store);
  process.kill(pid, 'SIGKILL');
  const statuses: (number | null)[] = [];
  const others = async () => (await listWorkers(store)).filter((worker) => worker !== pid);
  while ((await others()).length < 2) statuses.push(await tryRequest());
  // Meanwhile the new one connects to the database.
  for (let time = 0; time < 300; time += 1) statuses.push(await tryRequest());
  expect(new Set(statuses.slice(3))).toEqual(new Set([200]));
}

/** The store completes every request that it has begun. */
async function expectGracefulStop(): Promise<void> {
  const results = { answered: 0 };
  const load = Array.from({ length: 10 }, () => keepReading(results));
  while (results.answered < 50) await fetch(`${store.url}/health/ready`);
  store.child.kill('SIGTERM');
  await Promise.all(load);
  expect(await store.exited).toBe(0);
  expect(store.output().match(/"route":"\/api\/v1\/states"/g)).toHaveLength(results.answered);
  expect(store.output().match(/"msg":"stopped"/g)).toHaveLength(1);
  expect(listProcesses(path.join(folder, 'postgres'))).toEqual([]);
}

test('two processes serve one port as one store, replace a worker that dies, and stop together', async () => {
  expect(store.output().match(/X-Store-Token/g)).toHaveLength(1);
  await expectSharedMetrics();
  await expectReplacement();
  await expectGracefulStop();
});

test('the workers stop when the main process is killed', async () => {
  const workers = await listWorkers(store);
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
});
