import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { getProcessIdentity } from '../process-identity';

/** The metrics of this process. What they count does not depend on a database. */
export const processMetrics = new Registry();

const registers = [processMetrics];

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const requestDuration = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time from the first byte of a request to the end of its reply, by route pattern',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10],
  registers,
});

const errorReplies = new Counter({
  name: 'store_http_errors_total',
  help: 'Replies with an error, by X-Error-Code; overloaded counts shed load',
  labelNames: ['code'],
  registers,
});

/** What the metrics know of a request. Values of `route` and `errorCode` must be few: patterns and known words. */
export interface ObservedRequest {
  method: string;
  /** Null for a path that no route has. */
  route: string | null;
  status: number;
  durationMs: number;
  errorCode: string | null;
}

/** Counts a request and its duration. */
export function observeRequest({ method, route, status, durationMs, errorCode }: ObservedRequest): void {
  requestDuration.observe(
    { method: METHODS.has(method) ? method : 'other', route: route ?? 'unknown', status: String(status) },
    durationMs / 1000,
  );
  if (errorCode !== null) errorReplies.inc({ code: errorCode });
}

/** The requests in progress that count towards MAX_IN_FLIGHT. */
export const requestsInProgress = new Gauge({
  name: 'store_http_requests_in_progress',
  help: 'Requests in progress; MAX_IN_FLIGHT limits them',
  registers,
});

/** The members of a pool of connections that are measured. */
interface MeasuredPool {
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

const pools = new Map<MeasuredPool, { name: string; size: number }>();

new Gauge({
  name: 'store_db_pool_connections',
  help: 'Open connections to the database, by state',
  labelNames: ['pool', 'state'],
  registers,
  collect() {
    this.reset();
    for (const [pool, { name }] of pools) {
      this.inc({ pool: name, state: 'used' }, pool.numUsed());
      this.inc({ pool: name, state: 'free' }, pool.numFree());
    }
  },
});

new Gauge({
  name: 'store_db_pool_size',
  help: 'Maximum number of connections to the database',
  labelNames: ['pool'],
  registers,
  collect() {
    this.reset();
    for (const { name, size } of pools.values()) this.inc({ pool: name }, size);
  },
});

new Gauge({
  name: 'store_db_pool_waiting',
  help: 'Requests and jobs that wait for a connection',
  labelNames: ['pool'],
  registers,
  collect() {
    this.reset();
    for (const [pool, { name }] of pools) this.inc({ pool: name }, pool.numPendingAcquires());
  },
});

/** Measures a pool until the returned function is called. */
export function watchPool(pool: MeasuredPool, name: string, size: number): () => void {
  pools.set(pool, { name, size });
  return () => pools.delete(pool);
}

/** Statements that took longer than SLOW_STATEMENT_MS. */
export const slowStatements = new Counter({
  name: 'store_db_slow_statements_total',
  help: 'Statements that took longer than SLOW_STATEMENT_MS',
  registers,
});

/** Connections to the database that ended unexpectedly. */
export const lostConnections = new Counter({
  name: 'store_db_connections_lost_total',
  help: 'Connections to the database that were lost',
  registers,
});

/** Reads that may run on the replica, by where they ran. */
export const replicaReads = new Counter({
  name: 'store_replica_reads_total',
  help: 'Reads that may run on the replica, by the database that ran them',
  labelNames: ['database'],
  registers,
});

/** Reads of caches. */
export const cacheReads = new Counter({
  name: 'store_cache_reads_total',
  help: 'Reads of caches, by result',
  labelNames: ['cache', 'result'],
  registers,
});

/** Measures memory, CPU and event loop of this process too, from now on. Call it once. */
export function measureProcess(): void {
  collectDefaultMetrics({ register: processMetrics });
  const { version } = getProcessIdentity();
  new Gauge({
    name: 'store_processes',
    help: 'Processes whose metrics are included',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
}
