/**
 * Selects the rows of a subquery as a JSON array, which is empty without rows. Amounts must be cast to text, because JSON
 * numbers are floats. PostgreSQL prepares every node of a plan each time, and `json_agg` would need two more.
 * @param order columns of the subquery `r`; defaults to its own order
 */
export const selectJsonRows = (select: string, order?: string): string =>
  `array_to_json(ARRAY(SELECT r FROM (${select}) r${order === undefined ? '' : ` ORDER BY ${order}`}))`;
