import type { Tx } from '../platform/database/transaction';
import { MAX_INT4 } from '../platform/int4';

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

/** A list whose records have positions, such as the values of one option type. */
export interface PositionedList {
  table: 'option_types' | 'option_values' | 'variants';
  /** The option type of the values, or the product of the variants; null for the option types and for values without a type. */
  parent_id: number | null;
}

const LIST: Record<PositionedList['table'], string> = {
  option_types: 'TRUE OR ?::integer IS NULL',
  option_values: 'option_type_id IS NOT DISTINCT FROM ?::integer',
  // The master keeps the first position.
  variants: 'product_id = ?::integer AND deleted_at IS NULL AND NOT is_master',
};

/**
 * Lets one transaction at a time change the positions of a list, until it ends: two that append concurrently would find
 * the same last position.
 */
export async function lockPositions(tx: Tx, { table, parent_id }: PositionedList): Promise<void> {
  await tx.raw('SELECT pg_advisory_xact_lock(hashtext(?), ?)', [table, parent_id ?? 0]);
}

/**
 * Makes the positions of a list distinct. `placed` are the records that were just written: they keep their positions,
 * and others at the same position move behind them, as do those that are then in the way. Gaps remain. Expects the list
 * locked. One statement.
 */
export async function separatePositions(
  tx: Tx,
  { table, parent_id }: PositionedList,
  placed: readonly number[],
): Promise<void> {
  // The highest positions are moved down instead, because there is no higher integer.
  await tx.raw(
    `WITH ranked AS (
       SELECT id, position, count(*) OVER () AS count,
              row_number() OVER (ORDER BY position, id = ANY(?::integer[]) DESC, id) AS rank
         FROM ${table} WHERE ${LIST[table]}),
     separated AS (
       SELECT id, least(rank + max(position - rank) OVER (ORDER BY rank), ${MAX_INT4} - (count - rank)) AS position
         FROM ranked)
     UPDATE ${table} SET position = separated.position FROM separated
      WHERE ${table}.id = separated.id AND ${table}.position <> separated.position`,
    [[...placed], parent_id],
  );
}
