/** The maximum of PostgreSQL's integer type, and so of ids, positions and counts. */
export const MAX_INT4 = 2_147_483_647;
