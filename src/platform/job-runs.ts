import type { Db } from './database/knex';
import type { Figure } from './metrics/figures';

/** The runs of a job in this process that are not recorded yet. */
interface Runs {
  succeeded: number;
  failed: number;
  seconds: number;
  last_succeeded_at: Date | null;
  last_failed_at: Date | null;
}

let pending = new Map<string, Runs>();

/** Runs a job and counts its outcome, until `recordJobRuns` records it. @throws what the job throws */
export async function measureJob<T>(job: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  let isSuccess = false;
  try {
    const result = await work();
    isSuccess = true;
    return result;
  } finally {
    const runs = pending.get(job) ?? {
      succeeded: 0,
      failed: 0,
      seconds: 0,
      last_succeeded_at: null,
      last_failed_at: null,
    };
    pending.set(job, runs);
    runs[isSuccess ? 'succeeded' : 'failed'] += 1;
    runs[isSuccess ? 'last_succeeded_at' : 'last_failed_at'] = new Date();
    runs.seconds += (performance.now() - started) / 1000;
  }
}

/** Adds the runs since the last call to the totals of all processes. They are lost if the database is. */
export async function recordJobRuns(db: Db): Promise<void> {
  // Sorted, so that instances lock rows in the same order.
  const runs = [...pending].sort(([one], [other]) => (one < other ? -1 : 1));
  pending = new Map();
  if (runs.length === 0) return;
  await db.raw(
    `INSERT INTO job_runs AS known (job, succeeded, failed, seconds, last_succeeded_at, last_failed_at)
     SELECT * FROM json_to_recordset(?::json) AS run (job text, succeeded bigint, failed bigint, seconds float8,
       last_succeeded_at timestamptz, last_failed_at timestamptz)
     ON CONFLICT (job) DO UPDATE SET
       succeeded = known.succeeded + excluded.succeeded,
       failed = known.failed + excluded.failed,
       seconds = known.seconds + excluded.seconds,
       last_succeeded_at = GREATEST(known.last_succeeded_at, excluded.last_succeeded_at),
       last_failed_at = GREATEST(known.last_failed_at, excluded.last_failed_at)`,
    [JSON.stringify(runs.map(([job, run]) => ({ job, ...run })))],
  );
}

interface RecordedRuns {
  job: string;
  succeeded: number;
  failed: number;
  seconds: number;
  last_success: number | null;
  last_failure: number | null;
}

/** Reads what became of the jobs of all processes, also of workers apart from the servers. */
export async function readJobFigures(db: Db): Promise<Figure[]> {
  const { rows } = await db.raw<{ rows: RecordedRuns[] }>(
    `SELECT job, succeeded::float8 AS succeeded, failed::float8 AS failed, seconds,
            EXTRACT(EPOCH FROM last_succeeded_at)::float8 AS last_success,
            EXTRACT(EPOCH FROM last_failed_at)::float8 AS last_failure
       FROM job_runs ORDER BY job`,
  );
  const timesOf = (name: 'last_success' | 'last_failure') =>
    rows.flatMap(({ job, [name]: value }) => (value === null ? [] : [{ labels: { job }, value }]));
  return [
    {
      name: 'store_job_runs_total',
      help: 'Runs of background jobs, by outcome',
      type: 'counter',
      values: rows.flatMap(({ job, succeeded, failed }) => [
        { labels: { job, outcome: 'success' }, value: succeeded },
        { labels: { job, outcome: 'failure' }, value: failed },
      ]),
    },
    {
      name: 'store_job_seconds_total',
      help: 'Time that background jobs took',
      type: 'counter',
      values: rows.map(({ job, seconds }) => ({ labels: { job }, value: seconds })),
    },
    {
      name: 'store_job_last_success_timestamp_seconds',
      help: 'When a background job last succeeded',
      values: timesOf('last_success'),
    },
    {
      name: 'store_job_last_failure_timestamp_seconds',
      help: 'When a background job last failed',
      values: timesOf('last_failure'),
    },
  ];
}
