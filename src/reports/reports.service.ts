import type { Ctx } from '../access/context';
import { findDefaultStore } from '../accounts/stores/stores.repository';
import { isBlank } from '../platform/blank';
import { isCalendarDate } from '../platform/calendar';
import { INVALID, InvalidResource, type FieldErrors } from '../platform/errors';
import { largeReads } from '../platform/large-reads';
import { isCurrency } from '../platform/money';
import type { ColumnKind, Report, ReportScope } from './report';
import { readReport, type ReportRows } from './reports.repository';
import type { ReportInput } from './reports.schema';

/** A report as it was read, with its columns. */
export interface ReadReport extends ReportRows {
  columns: Readonly<Record<string, ColumnKind>>;
  scope: ReportScope;
}

/**
 * Reads a report of the default store.
 * @throws InvalidResource `from`, `to` or `currency`; Unavailable if too many reports wait, or if one takes too long
 */
export async function getReport(ctx: Ctx, report: Report, input: ReportInput): Promise<ReadReport> {
  const store = (await findDefaultStore(ctx.db)) ?? { currency: 'USD', time_zone: 'UTC' };
  const scope = readScope(report, input, store);
  const group = input.group_by ?? report.groups[0] ?? '';
  const rows = await largeReads(() =>
    readReport(ctx.db, { report, group, basis: input.basis ?? 'sale' }, scope),
  );
  return { ...rows, columns: report.columns(group), scope };
}

function readScope(
  { has_period }: Report,
  input: ReportInput,
  store: { currency: string; time_zone: string },
): ReportScope {
  const read = (sent: string | null | undefined): string | null => (isBlank(sent) ? null : sent);
  const from = has_period ? read(input.from) : null;
  const to = has_period ? read(input.to) : null;
  const currency = (read(input.currency) ?? store.currency).toUpperCase();
  const errors: FieldErrors = {};
  if (from !== null && !isCalendarDate(from)) errors['from'] = [INVALID];
  if (to !== null && !isCalendarDate(to)) errors['to'] = [INVALID];
  if (from !== null && to !== null && from > to) errors['to'] ??= ['must be on or after from'];
  if (!isCurrency(currency)) errors['currency'] = [INVALID];
  if (Object.keys(errors).length > 0) throw new InvalidResource(errors);
  return {
    from: from ?? '-infinity',
    to: to ?? 'infinity',
    zone: store.time_zone,
    currency,
  };
}
