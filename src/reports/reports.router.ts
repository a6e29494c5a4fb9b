import type { Ctx } from '../access/context';
import { createApiRouter, type ApiRouter } from '../access/api-router';
import { endpoint } from '../platform/http/endpoint';
import { paymentsReport } from './payments.report';
import { productsReport } from './products.report';
import { refundsReport } from './refunds.report';
import type { Report } from './report';
import { buildReportJson, buildReportQuery } from './reports.schema';
import { serializeCsv, serializeRow, serializeTotals } from './reports.serializer';
import { getReport } from './reports.service';
import { salesReport } from './sales.report';
import { stockValueReport } from './stock-value.report';
import { taxesReport } from './taxes.report';

const REPORTS = [salesReport, taxesReport, productsReport, refundsReport, paymentsReport, stockValueReport];

export function reportsRouter(): ApiRouter {
  const router = createApiRouter('Reports', 'reports');
  for (const report of REPORTS) addReport(router, report);
  return router;
}

function addReport(router: ApiRouter, report: Report): void {
  const { name, summary, description } = report;
  const query = buildReportQuery(report);
  endpoint(router, `get /reports/${name}`, {
    access: 'admin',
    summary,
    description,
    query,
    private: true,
    reply: buildReportJson(report),
    handle: async (ctx: Ctx, request) => {
      const { rows, totals, columns, scope } = await getReport(ctx, report, request.query);
      return {
        rows: rows.map((row) => serializeRow(row, columns)),
        totals: serializeTotals(totals, columns),
        currency: scope.currency,
        time_zone: scope.zone,
      };
    },
  });
  endpoint(router, `get /reports/${name}.csv`, {
    access: 'admin',
    summary: `${summary}, as CSV`,
    description: `${description} Without the totals. Text that a spreadsheet would run as a formula begins with \`'\`.`,
    query,
    private: true,
    file: 'text/csv; charset=utf-8',
    handle: async (ctx: Ctx, request) => {
      const { rows, columns } = await getReport(ctx, report, request.query);
      return { name: `${name}.csv`, content: serializeCsv(rows, columns) };
    },
  });
}
