import cluster from 'node:cluster';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { z } from 'zod';

/** What distinguishes the processes of a store in the log and in `pg_stat_activity`. */
export interface ProcessIdentity {
  pid: number;
  /** The name of the machine or container. */
  instance: string;
  version: string;
  /** The number of the process among those of WORKERS; missing for the main process. */
  worker?: number;
}

/** Returns the identity of this process. */
export function getProcessIdentity(): ProcessIdentity {
  const worker = cluster.worker?.id;
  return {
    pid: process.pid,
    instance: hostname(),
    version: VERSION,
    ...(worker !== undefined && { worker }),
  };
}

/** PostgreSQL cuts longer names. */
const MAX_NAME_LENGTH = 63;

/**
 * Returns the `application_name` of a connection, such as `store web-1/4711 worker 2`. The host name is shortened if
 * the name is too long.
 * @param role what the process does, if it is not a server
 */
export function buildApplicationName(role?: string): string {
  const { pid, instance, worker } = getProcessIdentity();
  const end = `/${pid} ${role ?? (worker === undefined ? 'main' : `worker ${worker}`)}`;
  return `store ${instance}`.slice(0, MAX_NAME_LENGTH - end.length) + end;
}

const VERSION = readVersion(__dirname);

/** Reads the version of the package that contains this file, which is compiled to a deeper folder. */
function readVersion(folder: string): string {
  const file = path.join(folder, 'package.json');
  if (!existsSync(file)) return readVersion(path.dirname(folder));
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version;
}
