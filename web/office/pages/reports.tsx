import { useQuery } from '@tanstack/preact-query';
import { Link, useSearch, useLocation } from 'wouter-preact';
import { ChoiceField, Field } from '../../shared/field';
import { Bars } from '../parts/bars';
import { Download } from '../parts/download';
import { Loaded } from '../parts/loaded';
import { Table, type Column } from '../parts/table';
import { configQuery } from '../queries';
import {
  capitalize,
  isReport,
  nameColumn,
  readReport,
  REPORTS,
  UNGROUPED,
  type Report,
  type ReportName,
  type ReportRow,
} from '../reports';
import { addDays, dayIn, fillDays, nameRow, nameTax } from '../rules/report-days';
import { toPercent } from '../rules/percent';
import { moneyOf } from '../words';

const MONTH_DAYS = 30;

/** The reports: each as a plot and a table, and as CSV. */
export function Reports() {
  return (
    <Loaded query={useQuery(configQuery)}>
      {({ currency, time_zone }) => <ReportsOf own={currency} today={dayIn(time_zone, Date.now())} />}
    </Loaded>
  );
}

/** The reports of a store that sells in the currency `own`, where it is `today`. */
function ReportsOf({ own, today }: { own: string; today: string }) {
  const params = new URLSearchParams(useSearch());
  const [, go] = useLocation();
  const wanted = params.get('report') ?? '';
  const name: ReportName = isReport(wanted) ? wanted : 'sales';
  const report = REPORTS[name];
  const { groups, amount } = report;
  const group = groups.find((one) => one === params.get('group')) ?? groups[0] ?? '';
  const from = params.get('from') ?? addDays(today, 1 - MONTH_DAYS);
  const to = params.get('to') ?? today;
  // A report has the orders of one currency. The store has a default one; orders may have others.
  const currency = params.get('currency') ?? '';
  const basis = params.get('basis') === 'booked' ? 'booked' : 'sale';
  const kept = { from, to, ...(currency !== '' && { currency }), ...(basis === 'booked' && { basis }) };
  const show = (changed: Readonly<Record<string, string>>): void =>
    go(`/reports?${new URLSearchParams({ report: name, group, ...kept, ...changed }).toString()}`, {
      replace: true,
    });
  const asked = {
    ...(name !== 'stock_value' && kept),
    ...(group !== '' && { group_by: group }),
  };
  const query = useQuery({
    queryKey: ['report', name, asked],
    queryFn: () => readReport(name, asked),
  });
  const csv = new URLSearchParams(asked);
  return (
    <>
      <div class="title">
        <h1>Reports</h1>
        <div class="title-actions">
          <Download
            path={`/api/v1/reports/${name}.csv?${csv.toString()}`}
            file={`${name}.csv`}
            name="As CSV"
            scope="reports:read"
            class="button-quiet"
          />
        </div>
      </div>
      <nav class="tabs" aria-label="Reports">
        {Object.entries(REPORTS).map(([key, { title }]) => (
          <Link
            key={key}
            href={`/reports?${new URLSearchParams({ report: key, ...kept }).toString()}`}
            {...(key === name && { 'aria-current': 'page' })}
          >
            {title}
          </Link>
        ))}
      </nav>
      <div class="box fields fields-row">
        {name !== 'stock_value' && (
          <>
            <Field
              label="From"
              type="date"
              value={from}
              onText={(day) => day !== '' && show({ from: day })}
            />
            <Field label="To" type="date" value={to} onText={(day) => day !== '' && show({ to: day })} />
            <Field
              key={own}
              label="Currency"
              defaultValue={currency || own}
              maxLength={3}
              onChange={(event) => show({ currency: event.currentTarget.value.trim().toUpperCase() })}
            />
          </>
        )}
        {'isBooked' in report && (
          <ChoiceField
            label="Changes and returns"
            value={basis}
            onChoose={(chosen) => show({ basis: chosen })}
          >
            <option value="sale">With their sale</option>
            <option value="booked">By their own date</option>
          </ChoiceField>
        )}
        {groups.length > 0 && (
          <ChoiceField label="By" value={group} onChoose={(by) => show({ group: by })}>
            {groups.map((one) => (
              <option key={one} value={one}>
                {capitalize(one)}
              </option>
            ))}
          </ChoiceField>
        )}
      </div>
      <Loaded query={query}>
        {({ rows: reported, totals, currency }) => {
          const rows =
            group === 'day' && reported.length > 0
              ? fillDays(reported, { from, to }, zeroDay(totals))
              : reported;
          const title = (row: ReportRow): string => nameRow(row, { by: group, ungrouped: UNGROUPED[name] });
          return (
            <section class="box">
              <h2>{report.title}</h2>
              {rows.length === 0 ? (
                <p class="quiet">Nothing in this period.</p>
              ) : (
                <>
                  <Bars
                    values={rows.map((row) => ({
                      name: [title(row), row['sku'], group === 'rate' ? null : nameTax(row)]
                        .filter((text) => text != null)
                        .join(' '),
                      amount: String(row[amount] ?? '0'),
                    }))}
                    currency={currency}
                  />
                  {'note' in report && <p class="quiet">{report.note}</p>}
                  <Table
                    name={report.title}
                    columns={buildColumns({ rows, totals, currency }, group || 'product', title)}
                    rows={[...rows.map(keyed), { row: totals, key: 'total' }]}
                    keyOf={({ key }) => key}
                  />
                </>
              )}
            </section>
          );
        }}
      </Loaded>
    </>
  );
}

interface Keyed {
  row: ReportRow;
  key: string | number;
}

const keyed = (row: ReportRow, key: number): Keyed => ({ row, key });

/** Builds the rows of days on which nothing happened. */
const zeroDay =
  (totals: ReportRow) =>
  (group: string): ReportRow => ({
    ...Object.fromEntries(
      Object.entries(totals).map(([name, total]) => [name, typeof total === 'string' ? '0' : 0]),
    ),
    group,
  });

const HIDDEN = new Set(['group', 'name', 'product_id', 'included', 'reason']);

/** Returns the columns that a report has: its rows name them. The totals have its counts, and its amounts as texts. */
function buildColumns(
  { rows, totals, currency }: Report,
  group: string,
  title: (row: ReportRow) => string,
): Column<Keyed>[] {
  const names = [...new Set(rows.flatMap(Object.keys))].filter(
    (name) => !HIDDEN.has(name) && !(name === group && name === 'gateway'),
  );
  const show = (name: string, value: ReportRow[string]): string => {
    if (typeof value !== 'string') return String(value ?? '');
    if (name === 'rate') return `${toPercent(value)}%`;
    return typeof totals[name] === 'string' ? moneyOf(value, currency) : value;
  };
  return [
    {
      name: group === 'rate' ? 'Tax' : capitalize(group),
      cell: ({ row, key }) => (key === 'total' ? <strong>Total</strong> : title(row)),
    },
    ...(group !== 'rate' && rows.some((row) => nameTax(row) !== null)
      ? [{ name: 'Tax', cell: ({ row }: Keyed) => nameTax(row) }]
      : []),
    ...names.map((name): Column<Keyed> => ({
      name: nameColumn(name),
      isNumber: name !== 'sku' && name !== 'gateway',
      cell: ({ row }) => show(name, row[name]),
    })),
  ];
}
