import { runBenchProcess } from './processes';
import type { Figures } from './load';

/** The result of the write baseline. Rates and times are per order. */
export interface WriteLimit {
  figures: Figures;
  orders: number;
}

/** What seven commits write: one row each of a table without indexes, or the rows of a checkout. */
export type WriteMode = 'bare' | 'rows';

/**
 * Measures how many orders per second PostgreSQL accepts over eight connections, each in seven commits without reads,
 * rules or lock conflicts. The sender is a process of its own.
 */
export async function measureWriteLimit(
  { databaseUrl, mode }: { databaseUrl: string; mode: WriteMode },
  variantIds: readonly number[],
  seconds: number,
): Promise<WriteLimit> {
  const output = await runBenchProcess('bench/write-limit-process.ts', {
    DATABASE_URL: databaseUrl,
    VARIANT_IDS: variantIds.slice(0, 64).join(','),
    SECONDS: String(seconds),
    MODE: mode,
  });
  return JSON.parse(output) as WriteLimit; // printed by that process
}
