import { setTimeout as pause } from 'node:timers/promises';
import { startJobs } from '../../src/boot/jobs';
import { buildTasks, CRON } from '../../src/boot/tasks';
import { withTransaction } from '../../src/platform/database/transaction';
import { enqueue, type JobOptions } from '../../src/platform/queue/enqueue';
import { releaseJobsOfDead } from '../../src/platform/queue/queue-workers';
import { createQueuePool } from '../../src/platform/queue/queue-pool';
import { runDueJobs, startQueue, type Task } from '../../src/platform/queue/run-queue';
import { testApp } from '../support/api';
import { ensureTestDatabase, testDb } from '../support/database';
import { listQueries } from '../support/queries';
import { runJobs } from '../support/run-jobs';

const JOBS = 'graphile_worker._private_jobs';

afterEach(async () => {
  await testDb()(JOBS).delete();
});

function add(task: string, payload: object = {}, options: JobOptions = {}): Promise<void> {
  return withTransaction(testApp().deps, (tx) => {
    enqueue(tx, task, payload, options);
    return Promise.resolve();
  });
}

function run(tasks: Record<string, Task<unknown>>): Promise<void> {
  return runDueJobs({ deps: testApp().deps, tasks, isRunning: () => true });
}

test('two workers run each job once', async () => {
  const numbers = Array.from({ length: 20 }, (_, index) => index);
  await withTransaction(testApp().deps, (tx) => {
    for (const number of numbers) enqueue(tx, 'note', { number });
    return Promise.resolve();
  });
  const noted: unknown[] = [];
  const note: Task<unknown> = (_deps, payload) => {
    noted.push((payload as { number: number }).number); // the payload above
  };
  await Promise.all([run({ note }), run({ note })]);
  expect(noted.toSorted((one, other) => Number(one) - Number(other))).toEqual(numbers);
  expect(await testDb()(JOBS)).toEqual([]);
});

test('a job of a transaction that is rolled back never runs', async () => {
  const adding = withTransaction(testApp().deps, (tx) => {
    enqueue(tx, 'note');
    return Promise.reject(new Error('rolled back'));
  });
  await expect(adding).rejects.toThrow('rolled back');
  expect(await testDb()(JOBS)).toEqual([]);
});

test('a job replaces the one with its key, and waits for its time', async () => {
  const payloads: unknown[] = [];
  const note: Task<unknown> = (_deps, payload) => {
    payloads.push(payload);
  };
  await add('note', { version: 1 }, { key: 'one' });
  await add('note', { version: 2 }, { key: 'one' });
  await add('note', { version: 3 }, { runAt: new Date(Date.now() + 60_000) });
  await run({ note });
  expect(payloads).toEqual([{ version: 2 }]);
});

test('a failed job is retried later, and knows its attempt', async () => {
  const attempts: unknown[] = [];
  const fail: Task<unknown> = (_deps, _payload, { attempt }) => {
    attempts.push(attempt);
    throw new Error('not yet');
  };
  await add('fail', {}, { maxAttempts: 2 });
  await expect(run({ fail })).rejects.toThrow('not yet');
  const waiting = await testDb()(JOBS).where('run_at', '>', testDb().fn.now());
  expect(waiting).toMatchObject([{ attempts: 1, locked_by: null }]);
  await testDb()(JOBS).update({ run_at: testDb().fn.now() });
  await expect(run({ fail })).rejects.toThrow('not yet');
  expect(attempts).toEqual([1, 2]);
});

test('the jobs of a killed process are released, the jobs of a running one are not', async () => {
  await add('note', {}, { serial: 'notes' });
  await add('note');
  const longAgo = testDb().raw("now() - interval '1 minute'");
  const [dead, alive] = await testDb()(JOBS).orderBy('id');
  for (const [id, worker] of [
    [dead.id, 'worker-dead'],
    [alive.id, 'worker-alive'],
  ])
    await testDb()(JOBS).where({ id }).update({ locked_by: worker, locked_at: longAgo });
  await testDb()('graphile_worker._private_job_queues').update({
    locked_by: 'worker-dead',
    locked_at: longAgo,
  });
  await testDb()('queue_workers').insert({
    id: '00000000-0000-4000-8000-000000000000',
    worker_ids: ['worker-alive'],
    seen_at: new Date(),
  });

  expect(await releaseJobsOfDead(testDb())).toBe(1);
  const noted: unknown[] = [];
  await run({ note: () => void noted.push(1) });
  expect(noted).toEqual([1]);
  expect(await testDb()(JOBS)).toMatchObject([{ id: alive.id, locked_by: 'worker-alive' }]);
});

test('every item of the time table is a task, and all of them succeed', async () => {
  const tasks = buildTasks({ cartMaxAgeDays: 90 });
  for (const { task } of CRON) {
    expect(Object.keys(tasks)).toContain(task);
    await add(task);
  }
  await runJobs();
  expect(await testDb()(JOBS)).toEqual([]);
});

test('an idle connection that the database ends does not end the program', async () => {
  const pool = createQueuePool(await ensureTestDatabase(), 1);
  try {
    const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const removed = new Promise<void>((resolve) => pool.once('remove', () => resolve()));
    await testDb().raw('SELECT pg_terminate_backend(?)', [rows[0]?.pid ?? 0]);
    await removed;
    expect((await pool.query('SELECT 1')).rowCount).toBe(1);
  } finally {
    await pool.end();
  }
});

test('a time table that cannot be read ends nothing, and is tried again', async () => {
  const table = 'graphile_worker._private_known_crontabs';
  const warnings: unknown[] = [];
  const log = Object.assign(Object.create(testApp().deps.log), {
    warn: (_details: object, message: string) => warnings.push(message),
  });
  await testDb().raw(`ALTER TABLE ${table} RENAME TO unreadable`);
  const queue = startQueue({
    deps: { ...testApp().deps, log },
    url: await ensureTestDatabase(),
    isRunning: () => true,
    cron: [{ task: 'note', at: '0 0 1 1 *' }],
    tasks: { note: () => undefined },
    canPrepare: true,
  });
  try {
    while (!warnings.includes('the queue is unavailable; trying again')) await pause(20);
    await testDb().raw('ALTER TABLE graphile_worker.unreadable RENAME TO _private_known_crontabs');
    while ((await testDb()(table).where({ identifier: 'note' })).length === 0) await pause(20);
  } finally {
    await queue.stop();
  }
});

test('an idle run of all jobs takes 14 statements', async () => {
  const runCycle = async (): Promise<void> => {
    // Each job runs at once, and stops after it.
    const jobs = startJobs(testApp().deps, () => true);
    await Promise.all(jobs.map(({ stop }) => stop()));
  };
  await runCycle();
  const sent = await listQueries(runCycle);
  expect(sent).toHaveLength(14);
});
