import type { Report } from './report';
import { isPeriod, isTotal, selectBooked, selectGroups, selectPeriod } from './report-sql';

const KEYS = ['group', 'name', 'rate', 'included', 'reason', 'tax_rate_id'] as const;

/** A rate that has changed since the sale may have a name with its new percentage, such as `VAT 20 %`; it is not used for that sale. */
const NAME = `
  coalesce(CASE WHEN tax_rate.amount = booked.rate OR tax_rate.name !~ '[%％]' THEN tax_rate.name END, category.name, booked.name)`;

const selectTaxes = (group: string): string => `
  SELECT ${group} AS "group", ${NAME} AS name, booked.rate, booked.included,
         booked.reason, booked.tax_rate_id, booked.net, booked.base, booked.tax
    FROM booked
    LEFT JOIN tax_rates tax_rate ON tax_rate.id = booked.tax_rate_id
    LEFT JOIN tax_categories category ON category.id = tax_rate.tax_category_id`;

export const taxesReport: Report = {
  name: 'taxes',
  summary: 'Taxes by day, month or rate',
  description:
    'Taxes and what was taxed, net of returns, with one row for each rate. `base` is the amount that was taxed, after discounts and without taxes; base and tax of all rows add up to the orders. What is not taxed has rows of its own, without a rate: `reason` is `export`, `no_zone` or `exempt`, or null for amounts that are no turnover of their own, such as adjustments of staff. What several rates tax is in the `base` of each of them, and in that of the totals once. The group of a rate is its id; `rate` is the one the order was taxed with.',
  groups: ['day', 'month', 'rate'],
  has_period: true,
  columns: () => ({
    group: 'text',
    name: 'text',
    rate: 'rate',
    included: 'flag',
    reason: 'text',
    base: 'money',
    tax: 'money',
  }),
  sql(group, basis) {
    const key = isPeriod(group) ? selectPeriod(group, 'booked.at') : 'CAST(booked.tax_rate_id AS text)';
    const rows = selectGroups(selectTaxes(key), KEYS, {
      base: `CASE WHEN ${isTotal(KEYS)} THEN sum(net) ELSE sum(base) END`,
      tax: 'sum(tax)',
    });
    return `WITH ${selectBooked(basis)} ${rows}`;
  },
};
