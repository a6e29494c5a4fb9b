import type { Report } from './report';
import { isPeriod, isTotal, selectBooked, selectGroups, selectPeriod } from './report-sql';

const SUMS = {
  units: 'sum(units)',
  item_total: 'sum(item_total)',
  discount_total: 'sum(discount_total)',
  tax_total: 'sum(tax_total)',
  total: 'sum(total)',
} as const;

/** `units` of returns are in the report of products. `counted` is the column that counts orders. */
const selectEntries = (group: string, counted: string, from = ''): string => `
  SELECT ${group}, booked.${counted} AS orders, CASE WHEN booked.kind <> 'return' THEN booked.units END AS units,
         booked.item_total, booked.discount_total, booked.ship_total, booked.tax + booked.relief AS tax_total,
         booked.net + booked.tax AS total
    FROM booked ${from}`;

const COUNTRY = selectEntries(
  `c.iso AS "group", c.name`,
  'orders',
  'LEFT JOIN countries c ON c.id = booked.country_id',
);

const OF_LINES = `
  JOIN variants v ON v.id = booked.variant_id
  JOIN products p ON p.id = v.product_id
  LEFT JOIN variants master ON master.product_id = p.id AND master.is_master`;

const LINES = {
  product: selectEntries('CAST(p.id AS text) AS "group", p.name, master.sku', 'products', OF_LINES),
  variant: selectEntries('CAST(v.id AS text) AS "group", p.name, v.sku', 'lines', OF_LINES),
} as const;

const isOfLines = (group: string): group is keyof typeof LINES => group in LINES;

export const salesReport: Report = {
  name: 'sales',
  summary: 'Sales by day, week, month, product, variant or country',
  description:
    'Counts orders. Totals include credits of returns. Groups of products and variants are ids, with the totals of their line items after returns; shipping and adjustments of whole orders belong to none. Groups of countries are ISO codes of the ship address.',
  groups: ['day', 'week', 'month', 'product', 'variant', 'country'],
  has_period: true,
  columns: (group) => ({
    group: 'text',
    ...(group === 'country' && { name: 'text' }),
    ...(isOfLines(group) && { name: 'text', sku: 'text' }),
    orders: 'count',
    units: 'count',
    item_total: 'money',
    discount_total: 'money',
    ...(!isOfLines(group) && { ship_total: 'money' }),
    tax_total: 'money',
    total: 'money',
  }),
  sql(group, basis) {
    const booked = `WITH ${selectBooked(basis)}`;
    const sums = { orders: 'sum(orders)', ...SUMS };
    if (isOfLines(group)) {
      const keys = ['group', 'name', 'sku'];
      // The totals count orders, not the products of each.
      const orders = `CASE WHEN ${isTotal(keys)} THEN (SELECT sum(orders) FROM booked) ELSE sum(orders) END`;
      return `${booked} ${selectGroups(LINES[group], keys, { ...sums, orders })}`;
    }
    const all = { ...sums, ship_total: 'sum(ship_total)' };
    if (group === 'country') return `${booked} ${selectGroups(COUNTRY, ['group', 'name'], all)}`;
    if (!isPeriod(group)) throw new Error(`no sales by ${group}`);
    const entries = selectEntries(`${selectPeriod(group, 'booked.at')} AS "group"`, 'orders');
    return `${booked} ${selectGroups(entries, ['group'], all)}`;
  },
};
