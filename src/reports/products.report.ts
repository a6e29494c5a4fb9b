import type { Report } from './report';
import { RETURNED, selectGroups, SOLD } from './report-sql';

const LINES = `
  SELECT p.id AS product_id, master.sku, p.name, line.quantity AS units,
         (SELECT count(*) FROM inventory_units u WHERE u.line_item_id = line.id AND u.state = 'returned') AS returned,
         line.price * line.quantity + line.adjustment_total - coalesce(returned.value, 0) AS total
    FROM sold
    JOIN line_items line ON line.order_id = sold.id
    JOIN variants v ON v.id = line.variant_id
    JOIN products p ON p.id = v.product_id
    LEFT JOIN variants master ON master.product_id = p.id AND master.is_master
    LEFT JOIN returned ON returned.line_item_id = line.id`;

export const productsReport: Report = {
  name: 'products',
  summary: 'What was sold and returned of each product',
  description:
    '`units` were sold in the period, of which `returned` came back until today. `total` is what the line items cost after discounts and taxes, less the credits of returns.',
  groups: [],
  has_period: true,
  columns: () => ({
    product_id: 'id',
    sku: 'text',
    name: 'text',
    units: 'count',
    returned: 'count',
    total: 'money',
  }),
  sql: () =>
    `WITH ${SOLD}, ${RETURNED} ${selectGroups(LINES, ['product_id', 'sku', 'name'], {
      units: 'sum(units)',
      returned: 'sum(returned)',
      total: 'sum(total)',
    })}`,
};
