import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { readActivityFigures, readReplicaFigures } from '../platform/database/activity-figures';
import { keepFigures, type Figure } from '../platform/metrics/figures';
import type { MetricsOptions } from '../platform/metrics/metrics.router';
import { readJobFigures } from '../platform/job-runs';
import { readEventFigures } from '../events/event-figures.repository';
import { readQueueFigures } from '../platform/queue/queue-figures';
import { readOrderFigures, readPaymentFigures } from '../reports/state-figures.repository';

interface Parts {
  db: Knex;
  /** Null without DATABASE_REPLICA_URL. */
  replica: Knex | null;
  log: Logger;
  token: string | null;
  collect: () => Promise<string>;
}

/** Creates what GET /metrics needs. */
export function createStoreMetrics({ db, replica, log, token, collect }: Parts): MetricsOptions {
  const of = (read: (from: Knex) => Promise<Figure[]>, from = db) => keepFigures(() => read(from));
  return {
    token,
    collect,
    checkDatabase: async () => {
      await db.raw('SELECT 1');
    },
    sources: [
      of(readOrderFigures),
      of(readPaymentFigures),
      of(readActivityFigures),
      of(readJobFigures),
      of(readQueueFigures),
      of(readEventFigures),
      ...(replica === null ? [] : [of(readReplicaFigures, replica)]),
    ],
    report: (errors) => log.warn({ err: errors[0] }, 'metrics lack figures of the database'),
  };
}
