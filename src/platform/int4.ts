/** The largest whole number PostgreSQL's integer holds: of ids, positions and counts. */
export const MAX_INT4 = 2_147_483_647;
