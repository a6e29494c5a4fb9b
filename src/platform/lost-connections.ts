import { lostConnections } from './metrics/metrics';

let lost = 0;

/** Notes that a connection to the database was lost. The next one may lead to an older copy of it. */
export function noteLostConnection(): void {
  lost += 1;
  lostConnections.inc();
}

/** Returns how many connections this process has lost. */
export function countLostConnections(): number {
  return lost;
}

/**
 * Creates a cache of what was read from the database, and again an empty one after each loss of a connection. Revisions are random, so
 * what is kept under them would be right in any copy; without them, it does not outlive a failover.
 */
export function keepWhileConnected<Cache>(create: () => Cache): () => Cache {
  let cache = create();
  let seen = lost;
  return () => {
    if (seen !== lost) {
      seen = lost;
      cache = create();
    }
    return cache;
  };
}
