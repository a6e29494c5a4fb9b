import { z } from 'zod';
import { choice, text, type Field } from '../platform/http/fields';
import { BASES, type Basis, type Cell, type ColumnKind, type Report } from './report';

const CELLS: Readonly<Record<ColumnKind, z.ZodType<Cell>>> = {
  text: z.string().nullable(),
  count: z.int(),
  money: z.string(),
  id: z.int(),
  rate: z.string().nullable(),
  flag: z.boolean().nullable(),
};

/** The parameters of a report. Dates are checked by the service. */
export interface ReportInput {
  from?: string | null | undefined;
  to?: string | null | undefined;
  currency?: string | null | undefined;
  group_by?: string | null | undefined;
  basis?: Basis | null | undefined;
}

/** Reports that are the same on each basis. */
const BASIS_EFFECTS: Readonly<Record<string, string>> = {
  refunds: 'Has no effect here: refunds are counted by their own date. ',
  stock_value: 'Has no effect here. ',
};

/** Builds the schema of the parameters of a report. */
export function buildReportQuery(report: Report) {
  const day = (description: string) =>
    text({ trim: true, max: 32 }).optional.meta({ description, examples: ['2026-03-01'] });
  const period = report.has_period ? 'in the time zone of the store, such as `2026-03-01`' : 'ignored';
  // A report without groups refuses every one.
  const groups: Field<string> = choice(report.groups);
  return z.object({
    from: day(`The first day, ${period}. Defaults to the first order.`),
    to: day(`The last day, ${period}. Defaults to today.`),
    currency: text({ trim: true, max: 3 }).optional.meta({
      description: 'The currency of the counted orders. Defaults to that of the store.',
      examples: ['USD'],
    }),
    basis: choice(BASES).optional.meta({
      description: `\`sale\` counts what became of the sales of the period; \`booked\` counts sales, changes, returns, cancellations and refunds each by its own date, so a past period does not change. ${BASIS_EFFECTS[report.name] ?? ''}Defaults to \`sale\`.`,
    }),
    group_by: groups.optional.meta({
      description:
        report.groups.length === 0
          ? 'This report has one grouping.'
          : `One of ${report.groups.map((group) => `\`${group}\``).join(', ')}. Defaults to \`${report.groups[0] ?? ''}\`.`,
    }),
  });
}

/** Builds the schema of the reply. Columns that only some groupings have are optional. */
export function buildReportJson(report: Report) {
  const groupings = (report.groups.length === 0 ? [''] : report.groups).map((group) => report.columns(group));
  const names = [...new Set(groupings.flatMap((columns) => Object.keys(columns)))];
  const cells = (kinds: readonly ColumnKind[] | null): z.ZodType<Record<string, Cell>> =>
    z.object(
      Object.fromEntries(
        names.flatMap((name) => {
          const kind = groupings.flatMap((columns) => columns[name] ?? [])[0] ?? 'text';
          if (kinds !== null && !kinds.includes(kind)) return [];
          const isInAll = groupings.every((columns) => name in columns);
          return [[name, isInAll ? CELLS[kind] : CELLS[kind].optional()]];
        }),
      ),
    ) as unknown as z.ZodType<Record<string, Cell>>; // an object of cells
  return z.object({
    rows: z.array(cells(null)),
    totals: cells(['count', 'money']),
    currency: z.string().meta({ examples: ['USD'] }),
    time_zone: z.string().meta({ examples: ['UTC'] }),
  });
}
