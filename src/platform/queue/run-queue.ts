import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  parseCronItems,
  run,
  runOnce,
  type CronItem as GraphileCronItem,
  type Runner,
  type Task as QueueTask,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import type { Knex } from 'knex';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { chooseHost } from '../database/hosts';
import { measureJob } from '../job-runs';
import type { Job } from '../jobs';
import { createQueueLogger } from './queue-log';
import { createQueuePool, createQueuePoolLike, reportFailedStatements } from './queue-pool';
import { startPresence } from './queue-workers';

/** What a task knows of its run. */
export interface TaskRun {
  /** Whether the worker goes on; a long task ends early when it does not, and is repeated. */
  isRunning: () => boolean;
  /** 1 for the first attempt. */
  attempt: number;
}

/**
 * Performs a job. It may run more than once, for example after a crash, so what it did before must not happen again. If it
 * fails, it is retried after growing pauses.
 * @param payload as `enqueue` has got it, possibly from an earlier version of the program: parse it
 */
export type Task<Deps> = (deps: Deps, payload: unknown, run: TaskRun) => Promise<void> | void;

/** The tasks of a program by their names: letters, digits and underscores. */
export type Tasks<Deps> = Readonly<Record<string, Task<Deps>>>;

/** When tasks run by themselves, as crontab does, in UTC. Of several instances, one runs each. */
export interface CronItem {
  task: string;
  /** Minute, hour, day of month, month and day of week, such as `17 * * * *`. */
  at: string;
}

export interface QueueOptions<Deps> {
  deps: Deps & { db: Knex; log: Logger };
  tasks: Tasks<Deps>;
  isRunning: () => boolean;
}

interface WorkerOptions<Deps> extends QueueOptions<Deps> {
  /** Past a pooler, where notifications arrive. Elsewhere jobs are found by polling. May name several hosts. */
  url: string;
  cron: readonly CronItem[];
  /** Whether the connections keep prepared statements. */
  canPrepare: boolean;
}

/** How many jobs of a process run at once. */
const CONCURRENCY = 4;
/** A new job is noticed at once; this is how late a retry or a job of a later time is. */
const POLL_MS = 2_000;
/** How long jobs may go on after the worker was stopped, before they are given to others. */
const STOP_MS = 4_000;
/** After a failure of the database. */
const PAUSE_MS = 1_000;
const CONNECT_MS = 5_000;

/**
 * Works on the queue until it is stopped. A lost database, also one that has moved to another host, is waited for. Jobs that
 * run when it stops have some seconds; those that take longer are repeated by another worker.
 */
export function startQueue<Deps>(options: WorkerOptions<Deps>): Job {
  const stopping = new AbortController();
  const { log } = options.deps;
  const id = randomUUID();
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await workUntilFailure({ ...options, id }, stopping.signal);
      } catch (error) {
        log.warn({ err: error }, 'the queue is unavailable; trying again');
      }
      await delay(PAUSE_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };
  const working = work();
  return {
    stop: () => {
      stopping.abort();
      return working;
    },
  };
}

/** Works until it is stopped, or until the database fails. */
async function workUntilFailure<Deps>(
  options: WorkerOptions<Deps> & { id: string },
  signal: AbortSignal,
): Promise<void> {
  const { deps, cron, canPrepare } = options;
  const pool = createQueuePool(await chooseHost(options.url, CONNECT_MS), CONCURRENCY + 1);
  const events: WorkerEvents = new EventEmitter();
  const failed = new Promise<void>((resolve, reject) => {
    events.on('worker:getJob:error', () => resolve());
    events.on('worker:fatalError', () => resolve());
    const untilStopping = new Promise<void>((isStopping) => events.on('stop', () => isStopping()));
    reportFailedStatements(pool, { onFailure: reject, untilStopping });
  });
  failed.catch(() => undefined);
  reportFailures(events, deps.log);
  const presence = startPresence(deps, { id: options.id, events });
  try {
    const runner = await run({
      pgPool: pool,
      events,
      logger: createQueueLogger(deps.log),
      taskList: buildTaskList({ ...options, isRunning: () => options.isRunning() && !signal.aborted }),
      parsedCronItems: parseCronItems(cron.map(buildCronItem)),
      concurrency: CONCURRENCY,
      pollInterval: POLL_MS,
      noHandleSignals: true,
      noPreparedStatements: !canPrepare,
      gracefulShutdownAbortTimeout: STOP_MS,
    });
    const aborted = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    try {
      await Promise.race([failed, aborted, runner.promise]);
    } finally {
      await stopRunner(runner);
    }
  } finally {
    await presence.stop();
    await endPool(pool);
  }
}

/** A run that takes longer than the time to the next one delays it, and a failed one is followed by the next. */
function buildCronItem({ task, at }: CronItem): GraphileCronItem {
  return { task, match: at, options: { queueName: task, jobKey: task, maxAttempts: 3, backfillPeriod: 0 } };
}

async function stopRunner(runner: Runner): Promise<void> {
  // `stop` fails if the runner has ended by itself.
  const stopped = runner.stop().catch(() => undefined);
  await Promise.race([stopped, delay(STOP_MS + PAUSE_MS, undefined, { ref: false })]);
  runner.promise.catch(() => undefined);
}

/** Ends the connections, without waiting for those that are in use. */
async function endPool(pool: Pool): Promise<void> {
  await Promise.race([pool.end().catch(() => undefined), delay(PAUSE_MS, undefined, { ref: false })]);
}

function buildTaskList<Deps>({ deps, tasks, isRunning }: QueueOptions<Deps>): TaskList {
  const wrap =
    (name: string, task: Task<Deps>): QueueTask =>
    (payload, { job, abortSignal }) =>
      measureJob(name, async () =>
        task(deps, payload, {
          isRunning: () => isRunning() && abortSignal?.aborted !== true,
          attempt: job.attempts,
        }),
      );
  return Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, wrap(name, task)]));
}

function reportFailures(events: WorkerEvents, log: Logger): void {
  events.on('job:error', ({ job, error }) => {
    const { task_identifier: task, id, attempts, max_attempts } = job;
    log.warn({ task, job: id, attempt: attempts, of: max_attempts, err: error }, 'a job failed');
  });
  events.on('job:failed', ({ job }) => {
    log.error({ task: job.task_identifier, job: job.id }, 'a job failed for the last time');
  });
}

/**
 * Runs the jobs that are due, and those that they add, until none is left. For tests and commands.
 * @throws the first failure of a job
 */
export async function runDueJobs<Deps>(options: QueueOptions<Deps>): Promise<void> {
  const { deps } = options;
  const pool = await createQueuePoolLike(deps.db, 2);
  const events: WorkerEvents = new EventEmitter();
  const failures: unknown[] = [];
  events.on('job:error', ({ error }) => failures.push(error));
  try {
    await runOnce({
      pgPool: pool,
      events,
      noHandleSignals: true,
      logger: createQueueLogger(deps.log),
      taskList: buildTaskList(options),
    });
  } finally {
    await pool.end();
  }
  if (failures.length > 0) throw failures[0];
}
