import type { Report } from './report';
import { isPeriod, RETURNED, selectGroups, selectPeriod, selectShare, SOLD } from './report-sql';

const RETURNED_TOTAL =
  'coalesce(CASE WHEN a.included THEN returned.included_tax ELSE returned.additional_tax END, 0)';

const shareOfReturned = (weight: string): string =>
  selectShare(RETURNED_TOTAL, {
    upto: `sum(${weight}) OVER (PARTITION BY a.line_item_id, a.included ORDER BY a.id)`,
    own: weight,
    all: `(sum(${weight}) OVER (PARTITION BY a.line_item_id, a.included))`,
  });

/**
 * The tax of one adjustment that returns refunded: its share among the taxes of the same kind on its line item, by their
 * rates if the line item has become free since.
 */
const RETURNED_TAX = `
  CASE WHEN sum(a.amount) OVER (PARTITION BY a.line_item_id, a.included) = 0 THEN ${shareOfReturned('a.rate')}
       ELSE ${shareOfReturned('a.amount')} END`;

/** One row for each tax on a line item or shipment. The base is what it taxes, after discounts and without taxes. */
const TAXED = `
  taxed AS (
    SELECT sold.completed_at, a.source_id, a.rate, a.included, a.amount,
           CASE WHEN a.line_item_id IS NULL THEN 0 ELSE ${RETURNED_TAX} END AS returned,
           coalesce(returned.value - returned.included_tax - returned.additional_tax, 0) AS returned_base,
           coalesce(line.price * line.quantity + line.promo_total - line.included_tax_total,
                    shipment.cost + shipment.promo_total - shipment.included_tax_total, 0) AS base,
           coalesce((SELECT sum(item.quantity) FROM return_items item
                       JOIN return_authorizations r ON r.id = item.return_authorization_id AND r.state = 'received'
                      WHERE item.line_item_id = line.id AND a.amount = 0), 0) / coalesce(line.quantity, 1)::numeric AS part
      FROM sold
      JOIN adjustments a ON a.order_id = sold.id AND a.source_type = 'Store::TaxRate' AND a.eligible
      LEFT JOIN line_items line ON line.id = a.line_item_id
      LEFT JOIN shipments shipment ON shipment.id = a.shipment_id
      LEFT JOIN returned ON returned.line_item_id = a.line_item_id)`;

const selectTaxes = (group: string): string => `
  SELECT ${group} AS "group", coalesce(tax_rate.name, category.name) AS name, taxed.rate, taxed.included, taxed.source_id,
         round(CASE WHEN taxed.amount <> 0 THEN taxed.base * (taxed.amount - taxed.returned) / taxed.amount
                    WHEN taxed.returned <> 0 THEN taxed.base - taxed.returned_base
                    ELSE taxed.base * (1 - taxed.part) END, CAST(:digits AS integer)) AS base,
         taxed.amount - taxed.returned AS tax
    FROM taxed
    LEFT JOIN tax_rates tax_rate ON tax_rate.id = taxed.source_id
    LEFT JOIN tax_categories category ON category.id = tax_rate.tax_category_id`;

export const taxesReport: Report = {
  name: 'taxes',
  summary: 'Taxes by day, month or rate',
  description:
    'Taxes of the orders completed in the period, net of returns, with one row for each rate. `base` is what was taxed, after discounts and without taxes. The group of a rate is its id; `rate` is the one the order was taxed with, negative where a tax included in the price was refunded.',
  groups: ['day', 'month', 'rate'],
  has_period: true,
  columns: () => ({
    group: 'text',
    name: 'text',
    rate: 'rate',
    included: 'flag',
    base: 'money',
    tax: 'money',
  }),
  sql(group) {
    const key = isPeriod(group) ? selectPeriod(group, 'taxed.completed_at') : 'CAST(taxed.source_id AS text)';
    const rows = selectGroups(selectTaxes(key), ['group', 'name', 'rate', 'included', 'source_id'], {
      base: 'sum(base)',
      tax: 'sum(tax)',
    });
    return `WITH ${SOLD}, ${RETURNED}, ${TAXED} ${rows}`;
  },
};
