/** A condition: the time is in the period. An index on the column is used. */
export const isInPeriod = (column: string): string => `
  ${column} >= timezone(:zone, CAST(CAST(:from AS date) AS timestamp))
  AND ${column} < timezone(:zone, CAST(CAST(:to AS date) + 1 AS timestamp))`;

/** Orders of the period. Canceled orders count in no report. */
export const SOLD = `
  sold AS MATERIALIZED (
    SELECT o.id, o.completed_at, o.total_quantity, o.item_total, o.promo_total, o.ship_total, o.included_tax_total,
           o.additional_tax_total, o.total, coalesce(o.ship_address_id, o.bill_address_id) AS address_id
      FROM orders o
     WHERE ${isInPeriod('o.completed_at')} AND o.state <> 'canceled' AND o.currency = :currency)`;

/** Builds a part of `total`: the parts of all rows, in their order, add up to it exactly. Zero if no row has a weight. */
export const selectShare = (
  total: string,
  { upto, own, all }: { upto: string; own: string; all: string },
): string => `
  CASE WHEN ${all} = 0 THEN 0
       ELSE round(${total} * (${upto}) / ${all}, CAST(:digits AS integer))
            - round(${total} * (${upto} - ${own}) / ${all}, CAST(:digits AS integer)) END`;

const shareOfCredit = (total: string, weight: string): string =>
  selectShare(total, { upto: `sum(${weight}) OVER upto`, own: weight, all: `(sum(${weight}) OVER whole)` });

/** What received returns credited, by line item: amounts and their taxes, split among the items of each return. */
export const RETURNED = `
  returned AS (
    SELECT line_item_id, sum(value) AS value, sum(included_tax) AS included_tax, sum(additional_tax) AS additional_tax
      FROM (SELECT line_item_id,
                   ${shareOfCredit('credit', 'weight')} AS value,
                   ${shareOfCredit('credited_included_tax', 'included_tax')} AS included_tax,
                   ${shareOfCredit('credited_additional_tax', 'additional_tax')} AS additional_tax
              FROM (SELECT item.id, item.return_authorization_id, item.line_item_id, item.included_tax, item.additional_tax,
                           CASE WHEN sum(item.amount) OVER (PARTITION BY r.id) = 0 THEN item.quantity
                                ELSE item.amount END AS weight,
                           -credit.amount AS credit, coalesce(credit.included_tax, 0) AS credited_included_tax,
                           coalesce(credit.additional_tax, 0) AS credited_additional_tax
                      FROM sold
                      JOIN return_authorizations r ON r.order_id = sold.id AND r.state = 'received'
                      JOIN adjustments credit
                        ON credit.source_type = 'Store::ReturnAuthorization' AND credit.source_id = r.id
                      JOIN return_items item ON item.return_authorization_id = r.id) weighed
            WINDOW whole AS (PARTITION BY return_authorization_id),
                   upto AS (PARTITION BY return_authorization_id ORDER BY id)) parts
     GROUP BY line_item_id)`;

/** The groups of a time, by the calendar of the store: `2026-03-01`, `2026-W09` (ISO 8601), `2026-03`. */
const PERIODS = { day: 'YYYY-MM-DD', week: 'IYYY-"W"IW', month: 'YYYY-MM' } as const;

export type Period = keyof typeof PERIODS;

export const isPeriod = (group: string): group is Period => group in PERIODS;

export const selectPeriod = (period: Period, column: string): string =>
  `to_char(timezone(:zone, ${column}), '${PERIODS[period]}')`;

/**
 * Groups the rows of `parts` by `keys`, and adds a row of their totals.
 * `sums` maps columns to the SQL that aggregates them.
 */
export function selectGroups(
  parts: string,
  keys: readonly string[],
  sums: Readonly<Record<string, string>>,
): string {
  const quoted = keys.map((key) => `"${key}"`).join(', ');
  const aggregates = Object.entries(sums).map(([column, sql]) => `coalesce(${sql}, 0) AS ${column}`);
  return `
    SELECT grouping(${keys.map((key) => `"${key}"`)[0] ?? ''}) = 1 AS is_total, ${quoted}, ${aggregates.join(', ')}
      FROM (${parts}) parts
     GROUP BY GROUPING SETS ((${quoted}), ())
     ORDER BY is_total, ${quoted}`;
}
