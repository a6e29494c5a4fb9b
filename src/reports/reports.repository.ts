import type { Db } from '../platform/database/knex';
import type { Basis, Cell, Report, ReportScope, Row } from './report';

/** The rows of a report in the order of their groups, and their totals. */
export interface ReportRows {
  rows: Row[];
  totals: Row;
}

/** How long a report of many orders may take; other statements of requests are limited to seconds. */
const LIMIT_MS = 30_000;

/**
 * Reads a report. One statement, so that rows and totals are from one snapshot; it is canceled after 30 seconds, which
 * is an outage to the caller (503).
 */
export async function readReport(
  db: Db,
  { report, group, basis }: { report: Report; group: string; basis: Basis },
  scope: ReportScope,
): Promise<ReportRows> {
  const { rows } = await db.transaction(
    async (tx) => {
      await tx.raw(`SET LOCAL statement_timeout = ${LIMIT_MS}`);
      return tx
        .raw<{ rows: (Record<string, Cell> & { is_total: boolean })[] }>(report.sql(group, basis), {
          ...scope,
        })
        .options({ query_timeout: LIMIT_MS + 1_000 });
    },
    { readOnly: true },
  );
  const totals = rows.find(({ is_total }) => is_total);
  if (totals === undefined) throw new Error(`report ${report.name} has no totals`);
  return { rows: rows.filter(({ is_total }) => !is_total), totals };
}
