import type { FieldErrors } from './errors';

/** What became of one row of a batch. */
export type RowOutcome =
  | { status: 'changed' | 'unchanged'; id: number }
  /** `errors` by column. */
  | { status: 'failed'; errors: FieldErrors };

/** The number of rows of each outcome. */
export interface OutcomeCounts {
  changed: number;
  unchanged: number;
  failed: number;
}

/** Counts the outcomes. */
export function countOutcomes(outcomes: readonly RowOutcome[]): OutcomeCounts {
  const counts = { changed: 0, unchanged: 0, failed: 0 };
  for (const { status } of outcomes) counts[status] += 1;
  return counts;
}

/** Builds the outcome of a row with errors. */
export function buildFailure(errors: FieldErrors): RowOutcome {
  return { status: 'failed', errors };
}

/** A row as a parser returns it: its values, or its errors. */
export type ParsedRow<Row> = { row: Row } | { errors: FieldErrors };

/**
 * Applies the rows that could be parsed.
 * @returns the outcomes of all rows, in order; the errors of a row that could not be parsed are its outcome
 */
export async function applyParsed<Row>(
  rows: readonly ParsedRow<Row>[],
  apply: (rows: readonly Row[]) => Promise<RowOutcome[]>,
): Promise<RowOutcome[]> {
  const outcomes = await apply(rows.flatMap((parsed) => ('row' in parsed ? [parsed.row] : [])));
  let next = 0;
  return rows.map((parsed) => {
    if ('errors' in parsed) return buildFailure(parsed.errors);
    const outcome = outcomes[next++];
    if (outcome === undefined) throw new Error('a row has no outcome');
    return outcome;
  });
}

/** Thrown inside a transaction that must leave no trace; carries what became of its rows. */
export class RolledBack extends Error {
  constructor(readonly outcomes: readonly RowOutcome[]) {
    super('the batch was rolled back');
  }
}
