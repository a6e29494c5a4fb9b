import { parseArgs } from 'node:util';

const USAGE = `npm run bench -- [--products N] [--orders N] [--seconds N] [--workers N] [--only catalog|sales|events]

  --products N   number of products; above 1,000, also measures a catalog of 1,000 (default 1000)
  --orders N     number of completed orders for the order list scenarios (default 100000)
  --seconds N    duration of each scenario in seconds (default 5)
  --workers N    processes of the store (default 1)
  --only WHAT    only catalog, sales or events (default all)`;

const PARTS: readonly string[] = ['catalog', 'sales', 'events'];

/** The options of `npm run bench`. */
export interface BenchOptions {
  products: number;
  orders: number;
  seconds: number;
  workers: number;
  catalog: boolean;
  sales: boolean;
  events: boolean;
}

/** Parses the arguments. @throws Error with the usage text if an argument is invalid */
export function parseOptions(argv: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      products: { type: 'string', default: '1000' },
      orders: { type: 'string', default: '100000' },
      seconds: { type: 'string', default: '5' },
      workers: { type: 'string', default: '1' },
      only: { type: 'string' },
    },
  });
  const { only } = values;
  if (only !== undefined && !PARTS.includes(only)) throw createUsageError(`--only ${only}`);
  const isPart = (name: string): boolean => only === undefined || only === name;
  return {
    products: parseWholeNumber('--products', values.products, { from: 1000, to: 5_000_000 }),
    orders: parseWholeNumber('--orders', values.orders, { from: 0, to: 5_000_000 }),
    seconds: parseWholeNumber('--seconds', values.seconds, { from: 1, to: 600 }),
    workers: parseWholeNumber('--workers', values.workers, { from: 1, to: 64 }),
    catalog: isPart('catalog'),
    sales: isPart('sales'),
    events: isPart('events'),
  };
}

function parseWholeNumber(name: string, text: string, { from, to }: { from: number; to: number }): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < from || value > to) throw createUsageError(`${name} ${text}`);
  return value;
}

function createUsageError(argument: string): Error {
  return new Error(`invalid argument: ${argument}. Usage:\n${USAGE}`);
}
