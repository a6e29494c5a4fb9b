/** The row of a statement that always returns one, as an INSERT of one row does. @throws Error when it did not: a bug */
export function requireRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row === undefined) throw new Error('the statement returned no row');
  return row;
}
