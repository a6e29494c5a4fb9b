import { findConstraintErrors } from '../../errors/constraint-errors';
import type { RowOutcome } from '../../platform/batch';
import type { ImportRow } from './import-batches';

/**
 * Runs `work` with a batch. If a constraint of the database refuses it, with its halves, down to the rows that are
 * wrong: constraints are the last resort for what rows cannot see of each other, such as two that swap their SKUs.
 */
export async function inParts(
  rows: readonly ImportRow[],
  work: (rows: readonly ImportRow[]) => Promise<RowOutcome[]>,
): Promise<RowOutcome[]> {
  try {
    return await work(rows);
  } catch (error) {
    const errors = findConstraintErrors(error);
    if (errors === null) throw error;
    const middle = findMiddle(rows);
    if (middle === null) return work(rows.map((row) => ({ ...row, errors: row.errors ?? errors })));
    return [...(await inParts(rows.slice(0, middle), work)), ...(await inParts(rows.slice(middle), work))];
  }
}

/** Returns where a batch can be halved; null if it is one row, or one group that is written as a whole. */
function findMiddle(rows: readonly ImportRow[]): number | null {
  const starts = rows.flatMap(({ whole }, at) =>
    at > 0 && (whole === null || whole !== rows[at - 1]?.whole) ? [at] : [],
  );
  return starts[Math.floor(starts.length / 2)] ?? null;
}
