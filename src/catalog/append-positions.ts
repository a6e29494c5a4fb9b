import { MAX_INT4 } from '../platform/int4';

/** SQL for the position after the last row, limited to the largest integer, which clients may set. */
export const NEXT_POSITION = `least(coalesce(max(position), 0) + 1::bigint, ${MAX_INT4})`;

/** Assigns a position after all earlier ones to each row without one. `last` is the highest stored position. */
export function appendPositions<Row extends { position?: number | null | undefined }>(
  rows: readonly Row[],
  last: number,
): (Row & { position: number })[] {
  let highest = last;
  return rows.map((row) => {
    const position = row.position ?? Math.min(highest + 1, MAX_INT4);
    highest = Math.max(highest, position);
    return { ...row, position };
  });
}
