import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { readErrorCode } from '../error-code';
import { replicaReads } from '../metrics/metrics';
import { isDatabaseUnavailable } from './outage';
import { isTransient } from './pg-errors';

/** Runs reads on the replica, or on the primary while the replica lags or fails. */
export type ReplicaReader = <T>(work: (db: Knex) => Promise<T>) => Promise<T>;

export interface ReplicaOptions {
  primary: Knex;
  replica: Knex;
  /** Returns a value that changes with every commit that the reads may show, from the given database. */
  readRevision: (db: Knex) => Promise<string>;
  log: Logger;
}

/** A replica that does not return the revision within this time is not used. */
const PATIENCE_MS = 300;

/** After a failure, the replica is not used for this time. */
const PAUSE_MS = 2_000;

/**
 * Creates the reader of a replica. Before each read it compares the revisions of both databases: the replica is used
 * only if it has everything that was committed when the read began, so no client reads less than it has written, on any
 * instance. If the replica fails during the read, the read runs again on the primary. `work` must be repeatable.
 */
export function createReplicaReader({ primary, replica, readRevision, log }: ReplicaOptions): ReplicaReader {
  let pausedUntil = 0;
  let isFailing = false;

  const pause = (error: unknown): void => {
    pausedUntil = performance.now() + PAUSE_MS;
    if (!isFailing) log.warn({ err: error }, 'replica failed, reading from the primary');
    isFailing = true;
  };

  const hasCaughtUp = async (): Promise<boolean> => {
    if (performance.now() < pausedUntil) return false;
    const [ofPrimary, ofReplica] = await Promise.all([
      readRevision(primary),
      withTimeout(readRevision(replica)).catch((error: unknown) => {
        pause(error);
        return null;
      }),
    ]);
    if (ofReplica !== null && isFailing) {
      isFailing = false;
      log.info('replica works again');
    }
    return ofPrimary === ofReplica;
  };

  return async (work) => {
    if (!(await hasCaughtUp())) {
      replicaReads.inc({ database: 'primary' });
      return work(primary);
    }
    try {
      const result = await work(replica);
      replicaReads.inc({ database: 'replica' });
      return result;
    } catch (error) {
      if (!isReplicaFailure(error)) throw error;
      pause(error);
      replicaReads.inc({ database: 'primary' });
      return work(primary);
    }
  };
}

/** Whether the error may be due to the replica: unavailable, a conflict with recovery, or a write. */
function isReplicaFailure(error: unknown): boolean {
  return isDatabaseUnavailable(error) || isTransient(error) || readErrorCode(error) === '25006';
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the replica does not respond')), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}
