import type { WorkerEvents } from 'graphile-worker';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { startJob, type Job } from '../jobs';

/** How often a process reports that it works. */
const SEEN_MS = 5_000;
/** A process that has not reported for so long is dead. Longer than a database can be frozen without failing it. */
const DEAD_SECONDS = 20;

/**
 * Reports that the workers of this process are alive, and gives the jobs of killed processes to others: the queue itself waits
 * for four hours. A process that only could not report may be still at a job that then runs twice, as jobs may.
 * @param id a UUID that the process keeps when it starts its workers anew
 */
export function startPresence(
  { db, log }: { db: Knex; log: Logger },
  { id, events }: { id: string; events: WorkerEvents },
): Job {
  const workerIds: string[] = [];
  events.on('worker:create', ({ worker }) => workerIds.push(worker.workerId));
  const reporting = startJob(
    { name: 'report that the queue is worked on', everyMs: SEEN_MS, log },
    async () => {
      await report(db, id, workerIds);
      const released = await releaseJobsOfDead(db);
      if (released > 0) log.warn({ jobs: released }, 'jobs of a killed process are repeated');
    },
  );
  return {
    stop: async () => {
      await reporting.stop();
      await db('queue_workers')
        .where({ id })
        .delete()
        .catch(() => undefined);
    },
  };
}

async function report(db: Knex, id: string, workerIds: readonly string[]): Promise<void> {
  await db.raw(
    `INSERT INTO queue_workers (id, worker_ids, seen_at) VALUES (?, ?, date_trunc('milliseconds', now()))
     ON CONFLICT (id) DO UPDATE SET worker_ids = excluded.worker_ids, seen_at = excluded.seen_at`,
    [id, [...workerIds]],
  );
}

/** Releases the jobs of processes that no longer report. Safe from several instances at once. @returns how many */
export async function releaseJobsOfDead(db: Knex): Promise<number> {
  const { rows } = await db.raw<{ rows: { worker: string; jobs: number }[] }>(
    `SELECT locked_by AS worker, count(*)::integer AS jobs FROM graphile_worker._private_jobs
      WHERE locked_by IS NOT NULL AND locked_at < now() - make_interval(secs => ?)
        AND NOT EXISTS (SELECT FROM queue_workers
          WHERE locked_by = ANY (worker_ids) AND seen_at > now() - make_interval(secs => ?))
      GROUP BY locked_by`,
    [DEAD_SECONDS, DEAD_SECONDS],
  );
  if (rows.length === 0) return 0;
  await db.raw('SELECT graphile_worker.force_unlock_workers(?)', [rows.map(({ worker }) => worker)]);
  await db('queue_workers').where('seen_at', '<', db.raw("now() - interval '1 day'")).delete();
  return rows.reduce((sum, { jobs }) => sum + jobs, 0);
}
