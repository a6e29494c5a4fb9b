import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withTransaction } from '../../src/platform/database/transaction';
import { enqueue } from '../../src/platform/queue/enqueue';
import { testApp } from '../support/api';
import { ensureTestDatabase, testDb } from '../support/database';
import { killPrograms, startProgram, startWorkerProgram } from '../support/program';
import { startRelay, type Relay } from '../support/relay';

const JOBS = 'graphile_worker._private_jobs';
const TASK = 'delete_expired_idempotency_keys';
let settings: Record<string, string>;
let relay: Relay;

beforeAll(async () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-apart-')));
  settings = {
    DATABASE_URL: await ensureTestDatabase(),
    DATA_DIR: folder,
    SEED: 'none',
    SECRET_KEY: 'the same on every process',
    LOG_LEVEL: 'debug',
    WORKER: 'off',
  };
  relay = await startRelay(Number(new URL(settings['DATABASE_URL'] ?? '').port));
});

afterAll(async () => {
  killPrograms();
  await relay.cut();
  rmSync(settings.DATA_DIR ?? '', { recursive: true, force: true });
});

const add = () =>
  withTransaction(testApp().deps, (tx) => {
    enqueue(tx, TASK);
    return Promise.resolve();
  });

async function untilNoneIsLeft(): Promise<number> {
  const started = performance.now();
  while ((await testDb()(JOBS)).length > 0) await pause(50);
  return performance.now() - started;
}

test('with WORKER=off, only the worker works, also after its database was gone for a while, and stops by itself', async () => {
  await testDb()('queue_workers').delete(); // of workers that other tests have killed
  const store = await startProgram(settings);
  await add();
  await pause(3_000);
  expect(await testDb()(JOBS)).toMatchObject([{ attempts: 0 }]);

  const url = new URL(settings['DATABASE_URL'] ?? '');
  url.port = String(relay.port);
  const worker = await startWorkerProgram({ ...settings, DATABASE_URL: url.href });
  await untilNoneIsLeft();
  await relay.cut();
  const countFailures = () => worker.output().split('"job failed"').length - 1;
  while (worker.child.exitCode === null && countFailures() < 12) await pause(50);
  expect(worker.child.exitCode).toBeNull();
  await relay.restore();
  await add();
  await untilNoneIsLeft();
  // Notifications arrive again.
  await pause(4_000);
  await add();
  expect(await untilNoneIsLeft()).toBeLessThan(1_500);
  worker.child.kill('SIGTERM');
  expect(await worker.exited).toBe(0);
  expect(await testDb()('queue_workers')).toEqual([]);
  store.child.kill('SIGTERM');
  expect(await store.exited).toBe(0);
});

test('the job of a killed worker is repeated by another one', async () => {
  const worker = await startWorkerProgram(settings);
  // The job waits for this lock.
  const lock = await testDb().transaction();
  await lock.raw('LOCK TABLE idempotency_keys');
  await add();
  while ((await testDb()(JOBS).whereNotNull('locked_by')).length === 0) await pause(50);
  worker.child.kill('SIGKILL');
  await worker.exited;
  await lock.rollback();
  const url = new URL(settings['DATABASE_URL'] ?? '');
  url.port = String(relay.port);
  const other = await startWorkerProgram({ ...settings, DATABASE_URL: url.href });
  expect(await untilNoneIsLeft()).toBeLessThan(40_000);
  expect(other.output()).toContain('jobs of a killed process are repeated');
  // Without its database, it stops as it does with it.
  await relay.cut();
  other.child.kill('SIGTERM');
  expect(await other.exited).toBe(0);
  expect(other.output()).not.toContain('shutdown step failed');
  // The queue may print why its last attempt failed, at any time.
  expect(other.output()).toMatch(/"stopped"}$/m);
  await relay.restore();
});
