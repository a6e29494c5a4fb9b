import type { Tx } from '../database/transaction';

/** When and how a job runs. */
export interface JobOptions {
  /** A job with the key of one that still waits replaces it. Keys of finished jobs are free again. */
  key?: string;
  /** Defaults to the commit of the transaction. */
  runAt?: Date;
  /** How often a job that fails is tried, after growing pauses: 25 times last two days. Defaults to 25. */
  maxAttempts?: number;
  /** Jobs of one serial name run one after the other, on all instances. Use few names: each is a row that workers lock. */
  serial?: string;
}

const ADD_JOB = {
  name: 'add_job',
  sql: `SELECT 1 FROM graphile_worker.add_job(identifier => ?::text, payload => ?::json, queue_name => ?::text,
    run_at => ?::timestamptz, max_attempts => ?::int, job_key => ?::text)`,
};

/**
 * Adds a job to the queue in the transaction of its cause: it runs after the commit, and never after a rollback. Does not
 * wait for the statement. Commits of transactions that add jobs wait for each other (NOTIFY), so what follows from sales is
 * added by consumers of events instead.
 * @param task a task of the table of tasks (`boot/tasks.ts`); it runs at least once, on one worker at a time
 * @param payload plain data; records by their ids, because the job may run days later, and no secrets
 */
export function enqueue(
  tx: Tx,
  task: string,
  payload: object = {},
  { key, runAt, maxAttempts, serial }: JobOptions = {},
): void {
  tx.write(ADD_JOB, [
    task,
    JSON.stringify(payload),
    serial ?? null,
    runAt ?? null,
    maxAttempts ?? null,
    key ?? null,
  ]);
}
