import { parseArgs } from 'node:util';

const USAGE = `npm run bench -- [--products N] [--orders N] [--seconds N] [--only catalog|sales]

  --products N   size of the catalog; above 1,000 it is measured beside one of 1,000 (default 1000)
  --orders N     completed orders the order index is searched among (default 100000)
  --seconds N    how long each scenario is measured (default 5)
  --only WHAT    catalog or sales instead of both`;

/** What `npm run bench` is asked for. */
export interface BenchOptions {
  products: number;
  orders: number;
  seconds: number;
  catalog: boolean;
  sales: boolean;
}

/** @throws Error with the usage when an argument cannot be used */
export function readOptions(argv: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      products: { type: 'string', default: '1000' },
      orders: { type: 'string', default: '100000' },
      seconds: { type: 'string', default: '5' },
      only: { type: 'string' },
    },
  });
  const { only } = values;
  if (only !== undefined && only !== 'catalog' && only !== 'sales') throw misuse(`--only ${only}`);
  return {
    products: wholeNumber('--products', values.products, { from: 1000, to: 5_000_000 }),
    orders: wholeNumber('--orders', values.orders, { from: 0, to: 5_000_000 }),
    seconds: wholeNumber('--seconds', values.seconds, { from: 1, to: 600 }),
    catalog: only !== 'sales',
    sales: only !== 'catalog',
  };
}

function wholeNumber(name: string, text: string, { from, to }: { from: number; to: number }): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < from || value > to) throw misuse(`${name} ${text}`);
  return value;
}

function misuse(what: string): Error {
  return new Error(`${what} means nothing. Usage:\n${USAGE}`);
}
