import { MAX_INT4 } from '../../platform/int4';

/**
 * Selects the rows of a subquery as a JSON array, which is empty without rows. Amounts must be cast to text, because JSON
 * numbers are floats. PostgreSQL prepares every node of a plan each time, and `json_agg` would need two more.
 * @param order columns of the subquery `r`; defaults to its own order
 */
export const selectJsonRows = (select: string, order?: string): string =>
  `array_to_json(ARRAY(SELECT r FROM (${select}) r${order === undefined ? '' : ` ORDER BY ${order}`}))`;

/**
 * Builds a condition that every count, place and id satisfies. PostgreSQL expects a hundred rows of a JSON array, and a
 * thousand of `generate_series`; with the condition it expects one, and plans and allocates memory for that.
 * @param column an integer that is not null
 */
export const expectFew = (column: string): string => `${column} BETWEEN 0 AND ${MAX_INT4}`;
