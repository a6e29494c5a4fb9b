/**
 * To count a listing takes half a microsecond. Of more than `listings`, `drawn` are read, and facets for which more
 * than `counted` products probably count are estimated from them. The others are counted, so that none of their values is
 * missing.
 */
export const FACET_BOUNDS = { listings: 200_000, counted: 50_000, drawn: 100_000 };
