/**
 * Returns the row of a statement that always returns one, such as an INSERT.
 * @throws Error if there is none, which is a bug
 */
export function requireRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('the statement returned no row');
  return row;
}
