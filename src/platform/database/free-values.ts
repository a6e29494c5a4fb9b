import type { Tx } from './transaction';

/**
 * Frees the values of a unique text column that rows of a batch pass on to each other, as two rows that swap their names
 * do: the database compares row by row. Rows that give theirs away have a random value until the batch is written. One
 * statement, none unless several rows write the column.
 */
export async function freeValues(
  tx: Tx,
  { table, column }: { table: string; column: string },
  changes: readonly { id: number; columns: Readonly<Record<string, unknown>> }[],
): Promise<void> {
  const given = changes.flatMap(({ id, columns }) =>
    typeof columns[column] === 'string' ? [{ id, value: columns[column] }] : [],
  );
  if (given.length < 2) return;
  await tx.raw(
    `WITH given AS (SELECT * FROM jsonb_to_recordset(?) AS given (id integer, value text))
     UPDATE ${table} SET ${column} = gen_random_uuid() FROM given
      WHERE ${table}.id = given.id AND ${table}.${column} <> given.value
        AND ${table}.${column} IN (SELECT value FROM given)`,
    [JSON.stringify(given)],
  );
}
