import type { Config } from '../config';
import { isDatabaseUnavailable } from '../platform/database/outage';
import type { Pooler } from '../platform/database/pooler';
import { recordJobRuns } from '../platform/job-runs';
import { startJob } from '../platform/jobs';
import { startQueue } from '../platform/queue/run-queue';
import { startJobs } from './jobs';
import { findPoolerOf, type Connections, type Program } from './serve';
import { buildTasks, CRON } from './tasks';

/** How old the runs of jobs may be in the metrics. */
const RECORD_MS = 10_000;

/**
 * Starts all work in the background: the jobs that are due within seconds, and the queue. It stops with the program, before
 * the database.
 * @param databaseUrl where the program is connected; the queue prefers DATABASE_DIRECT_URL, where it hears of new jobs
 */
export async function startWork(
  { config, log, lifecycle }: Program,
  { deps }: Connections,
  databaseUrl: string,
): Promise<void> {
  const { isRunning } = lifecycle;
  const url = config.databaseDirectUrl ?? databaseUrl;
  const recording = startJob({ name: 'record runs of jobs', everyMs: RECORD_MS, log }, () =>
    recordJobRuns(deps.db),
  );
  lifecycle.onStop(async () => {
    await recording.stop();
    await recordJobRuns(deps.db).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error;
      log.warn('the database is unavailable; metrics lack the last runs of jobs');
    });
  });
  const queue = startQueue({
    deps,
    url,
    isRunning,
    cron: CRON,
    tasks: buildTasks(config),
    canPrepare: canPrepare(await findPoolerOf(config, url)),
  });
  lifecycle.onStop(queue.stop);
  for (const job of startJobs(deps, isRunning, { hasDemo: hasDemo(config) })) lifecycle.onStop(job.stop);
}

const hasDemo = ({ seed }: Config): boolean => seed === 'demo';

const canPrepare = (pooler: Pooler | null): boolean => pooler?.canPrepare !== false;
