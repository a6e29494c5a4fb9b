import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const USAGE = `npm run prove -- [--clients N] [--sales N] [--server-kills N] [--database-kills N] [--worker-kills N]
                 [--server-freezes N] [--freezes N] [--losses N] [--silences N] [--settle-seconds N] [--seed N] [--failover]

  --clients N         clients at once (default 8)
  --sales N           sales at least; clients go on until every disturbance is over (default 200)
  --server-kills N    SIGKILL of the server (default 20)
  --server-freezes N  the server stops for 11 seconds, another one takes its place, and then it goes on (default 2)
  --database-kills N  SIGKILL of PostgreSQL (default 10)
  --worker-kills N    SIGKILL of the worker (default 5)
  --freezes N         PostgreSQL stops answering, and continues (default 2)
  --losses N          times at which the answers of the payment provider get lost (default 5)
  --silences N        times at which the payment provider never answers (default 2)
  --settle-seconds N  time in which payments are settled after the last disturbance (default 12)
  --seed N            repeats the sequence of disturbances and what clients do (default random)
  --failover          instead of the kills and freezes of PostgreSQL: where etcd, Patroni and PostgreSQL are installed, the
                      leader of three nodes is killed three times; elsewhere a synchronous replica is promoted once`;

/** The options of `npm run prove`. */
export interface ProveOptions {
  clients: number;
  sales: number;
  serverKills: number;
  serverFreezes: number;
  databaseKills: number;
  workerKills: number;
  freezes: number;
  losses: number;
  silences: number;
  settleSeconds: number;
  seed: number;
  failover: boolean;
}

/** Parses the arguments. @throws Error with the usage text if one is invalid */
export function parseOptions(argv: readonly string[]): ProveOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      clients: { type: 'string', default: '8' },
      sales: { type: 'string', default: '200' },
      'server-kills': { type: 'string', default: '20' },
      'server-freezes': { type: 'string', default: '2' },
      'database-kills': { type: 'string', default: '10' },
      'worker-kills': { type: 'string', default: '5' },
      freezes: { type: 'string', default: '2' },
      losses: { type: 'string', default: '5' },
      silences: { type: 'string', default: '2' },
      'settle-seconds': { type: 'string', default: '12' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      failover: { type: 'boolean', default: false },
    },
  });
  const number = (name: Exclude<keyof typeof values, 'failover'>, least = 0): number => {
    const value = Number(values[name]);
    if (!/^\d{1,10}$/.test(values[name]) || value < least)
      throw new Error(`invalid argument: --${name} ${values[name]}. Usage:\n${USAGE}`);
    return value;
  };
  return {
    clients: number('clients', 1),
    sales: number('sales', 1),
    serverKills: number('server-kills'),
    serverFreezes: number('server-freezes'),
    databaseKills: number('database-kills'),
    workerKills: number('worker-kills'),
    freezes: number('freezes'),
    losses: number('losses'),
    silences: number('silences'),
    settleSeconds: number('settle-seconds', 1),
    seed: number('seed'),
    failover: values.failover,
  };
}

/** Returns a function that draws whole numbers below a limit, the same ones for the same seed (mulberry32). */
export function createDraw(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}
