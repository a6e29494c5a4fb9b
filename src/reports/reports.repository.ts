import type { Db } from '../platform/database/knex';
import type { Cell, Report, ReportScope, Row } from './report';

/** The rows of a report in the order of their groups, and their totals. */
export interface ReportRows {
  rows: Row[];
  totals: Row;
}

/** Reads a report. One statement, so that rows and totals are from one snapshot. */
export async function readReport(
  db: Db,
  { report, group }: { report: Report; group: string },
  scope: ReportScope,
): Promise<ReportRows> {
  const { rows } = await db.raw<{ rows: (Record<string, Cell> & { is_total: boolean })[] }>(report.sql(group), {
    ...scope,
  });
  const totals = rows.find(({ is_total }) => is_total);
  if (totals === undefined) throw new Error(`report ${report.name} has no totals`);
  return { rows: rows.filter(({ is_total }) => !is_total), totals };
}
