import type { Report } from './report';
import { isPeriod, RETURNED, selectGroups, selectPeriod, SOLD } from './report-sql';

const SUMS_OF_LINES = {
  orders: 'count(DISTINCT order_id)',
  units: 'sum(units)',
  item_total: 'sum(item_total)',
  discount_total: 'sum(discount_total)',
  tax_total: 'sum(tax_total)',
  total: 'sum(total)',
} as const;

const SUMS = { ...SUMS_OF_LINES, ship_total: 'sum(ship_total)' } as const;

/** One row for each order. Its columns are those of the order. */
const selectOrders = (group: string, from = ''): string => `
  SELECT ${group}, sold.id AS order_id, sold.total_quantity AS units, sold.item_total, sold.promo_total AS discount_total,
         sold.ship_total, sold.included_tax_total + sold.additional_tax_total AS tax_total, sold.total
    FROM sold ${from}`;

const COUNTRY = selectOrders(
  `c.iso AS "group", c.name`,
  'LEFT JOIN addresses a ON a.id = sold.address_id LEFT JOIN countries c ON c.id = a.country_id',
);

/** One row for each line item, net of what returns credited. */
const selectLines = (group: string): string => `
  SELECT ${group}, line.order_id, line.quantity AS units, line.price * line.quantity AS item_total,
         line.promo_total AS discount_total,
         line.included_tax_total + line.additional_tax_total
           - coalesce(returned.included_tax + returned.additional_tax, 0) AS tax_total,
         line.price * line.quantity + line.adjustment_total - coalesce(returned.value, 0) AS total
    FROM sold
    JOIN line_items line ON line.order_id = sold.id
    JOIN variants v ON v.id = line.variant_id
    JOIN products p ON p.id = v.product_id
    LEFT JOIN variants master ON master.product_id = p.id AND master.is_master
    LEFT JOIN returned ON returned.line_item_id = line.id`;

const GROUP_OF_LINES = {
  product: 'CAST(p.id AS text) AS "group", p.name, master.sku',
  variant: 'CAST(v.id AS text) AS "group", p.name, v.sku',
} as const;

const isOfLines = (group: string): group is keyof typeof GROUP_OF_LINES => group in GROUP_OF_LINES;

export const salesReport: Report = {
  name: 'sales',
  summary: 'Sales by day, week, month, product, variant or country',
  description:
    'Counts orders by the day of their completion. Totals are those of the orders today, with credits of returns. Groups of products and variants are ids, with the totals of their line items after returns; shipping and adjustments of whole orders belong to none. Groups of countries are ISO codes of the ship address.',
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
  sql(group) {
    if (isOfLines(group)) {
      const lines = selectLines(GROUP_OF_LINES[group]);
      return `WITH ${SOLD}, ${RETURNED} ${selectGroups(lines, ['group', 'name', 'sku'], SUMS_OF_LINES)}`;
    }
    if (group === 'country') return `WITH ${SOLD} ${selectGroups(COUNTRY, ['group', 'name'], SUMS)}`;
    if (!isPeriod(group)) throw new Error(`no sales by ${group}`);
    const orders = selectOrders(`${selectPeriod(group, 'sold.completed_at')} AS "group"`);
    return `WITH ${SOLD} ${selectGroups(orders, ['group'], SUMS)}`;
  },
};
