/** The sum of the revision log that changes with what decides which products are listed. */
export const VISIBILITY_REVISION = `(SELECT COALESCE(sum(n), 0) FROM catalog_revisions WHERE kind = 'visibility')`;

/** The sum of the revision log, which changes with whatever filters read. */
export const CATALOG_REVISION = `(SELECT CAST(COALESCE(sum(n), 0) AS text) FROM catalog_revisions)`;
