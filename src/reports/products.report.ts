import type { Report } from './report';
import { selectBooked, selectGroups } from './report-sql';

const LINES = `
  SELECT p.id AS product_id, master.sku, p.name, booked.net + booked.tax AS total,
         CASE WHEN booked.kind <> 'return' THEN booked.units END AS units,
         CASE WHEN booked.kind = 'return' THEN -booked.units END AS returned
    FROM booked
    JOIN variants v ON v.id = booked.variant_id
    JOIN products p ON p.id = v.product_id
    LEFT JOIN variants master ON master.product_id = p.id AND master.is_master`;

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
  sql: (_group, basis) =>
    `WITH ${selectBooked(basis)} ${selectGroups(LINES, ['product_id', 'sku', 'name'], {
      units: 'sum(units)',
      returned: 'sum(returned)',
      total: 'sum(total)',
    })}`,
};
