import { MAX_INT4 } from '../platform/int4';

/** The place after all, as SQL, of a column `position` that clients may set up to the largest integer. */
export const NEXT_POSITION = `least(coalesce(max(position), 0) + 1::bigint, ${MAX_INT4})`;

/** Gives rows that name no position a place after all before them; `last` is the highest there is. */
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
