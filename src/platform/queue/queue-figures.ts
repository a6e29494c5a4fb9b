import type { Db } from '../database/knex';
import { buildFigure, type Figure } from '../metrics/figures';

interface TaskJobs {
  task: string;
  state: string;
  count: number;
  age: number;
}

/** Returns how many processes work on the queue. */
export async function countWorkers(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `SELECT count(*)::integer AS count FROM queue_workers WHERE seen_at > now() - interval '20 seconds'`,
  );
  return rows[0]?.count ?? 0;
}

/** Reads the depth of the queue by task, and how many processes work on it. */
export async function readQueueFigures(db: Db): Promise<Figure[]> {
  const { rows } = await db.raw<{ rows: TaskJobs[] }>(
    `SELECT t.identifier AS task,
            CASE WHEN j.locked_at IS NOT NULL THEN 'running' WHEN j.attempts >= j.max_attempts THEN 'failed'
                 WHEN j.run_at > now() THEN CASE WHEN j.attempts > 0 THEN 'retrying' ELSE 'scheduled' END
                 ELSE 'waiting' END AS state,
            sum(CASE json_typeof(j.payload) WHEN 'array' THEN json_array_length(j.payload) ELSE 1 END)::integer AS count,
            EXTRACT(EPOCH FROM now() - min(j.run_at))::float8 AS age
       FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
      GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  const oldest = Math.max(0, ...rows.filter(({ state }) => state === 'waiting').map(({ age }) => age));
  return [
    {
      name: 'store_queue_jobs',
      help: 'Jobs in the queue by task and state, a job for several mails as several; failed ones are not tried again',
      values: rows.map(({ task, state, count }) => ({ labels: { task, state }, value: count })),
    },
    buildFigure(
      'store_queue_oldest_waiting_seconds',
      'How long the first of the due jobs has been waiting',
      oldest,
    ),
    buildFigure('store_queue_workers', 'Processes that work on the queue', await countWorkers(db)),
  ];
}
