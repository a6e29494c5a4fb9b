import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildPaths } from '../src/platform/database/embedded/cluster';

/** Linux reports CPU times in hundredths of a second. */
const MS_PER_TICK = 10;

/**
 * Returns the CPU time that a group of processes has used so far, in milliseconds; null where the system does not
 * report it.
 */
export type CpuClock = () => number | null;

/**
 * Creates the clock of a process and its descendants. Children that have ended count as far as their parent has waited
 * for them.
 */
export function createCpuClock(pid: number | undefined): CpuClock {
  return () => {
    const all = readProcesses();
    if (pid === undefined || !all.has(pid)) return null;
    let ticks = 0;
    for (const id of findFamily(pid, all)) ticks += all.get(id)?.ticks ?? 0;
    return ticks * MS_PER_TICK;
  };
}

/** Returns the ids of a process and its descendants. */
export function listFamily(pid: number): number[] {
  return [...findFamily(pid, readProcesses())];
}

function findFamily(pid: number, all: ReturnType<typeof readProcesses>): Set<number> {
  const included = new Set([pid]);
  for (let before = 0; before !== included.size;) {
    before = included.size;
    for (const [id, { parent }] of all) if (included.has(parent)) included.add(id);
  }
  return included;
}

/** Creates the clock of the PostgreSQL of a folder, with all its backends and background processes. */
export function createPostgresClock(folder: string): CpuClock {
  const file = path.join(buildPaths(folder).cluster, 'postmaster.pid');
  return createCpuClock(Number(readFileSync(file, 'utf8').split('\n')[0]));
}

/** CPU milliseconds per operation. */
export interface CpuShare {
  server: number | null;
  postgres: number | null;
}

/** The clocks of a server and of its PostgreSQL. */
export interface CpuClocks {
  server: CpuClock;
  postgres: CpuClock;
}

/** Starts measuring. The returned function returns the CPU time per operation since then. */
export function startCpuMeasurement(clocks: CpuClocks): (operations: number) => CpuShare {
  const before = { server: clocks.server(), postgres: clocks.postgres() };
  const share = (from: number | null, to: number | null, operations: number) =>
    from === null || to === null || operations === 0 ? null : (to - from) / operations;
  return (operations) => ({
    server: share(before.server, clocks.server(), operations),
    postgres: share(before.postgres, clocks.postgres(), operations),
  });
}

/** Reads the parent and the CPU time of every process; empty on systems without /proc. */
function readProcesses(): Map<number, { parent: number; ticks: number }> {
  const found = new Map<number, { parent: number; ticks: number }>();
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return found;
  }
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The name of the program, in parentheses, may contain spaces.
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
      found.set(Number(name), { parent: fields[1] ?? 0, ticks: user + system + childUser + childSystem });
    } catch {
      // The process has ended in the meantime.
    }
  }
  return found;
}
