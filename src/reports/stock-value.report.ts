import type { Report } from './report';
import { selectGroups } from './report-sql';

const GROUPS = {
  location: 'CAST(l.id AS text) AS "group", l.name',
  product: 'CAST(p.id AS text) AS "group", p.name',
} as const;

const isGroup = (group: string): group is keyof typeof GROUPS => group in GROUPS;

export const stockValueReport: Report = {
  name: 'stock_value',
  summary: 'The value of the stock by stock location or product',
  description:
    'The units on hand now, at their `cost_price`; units without one count as units of no value, and backorders as no units. `from` and `to` are ignored. Groups are ids.',
  groups: ['location', 'product'],
  has_period: false,
  columns: () => ({ group: 'text', name: 'text', units: 'count', value: 'money' }),
  sql(group) {
    if (!isGroup(group)) throw new Error(`no stock value by ${group}`);
    const items = `
      SELECT ${GROUPS[group]}, greatest(i.count_on_hand, 0) AS units,
             greatest(i.count_on_hand, 0) * coalesce(v.cost_price, 0) AS value
        FROM stock_items i
        JOIN stock_locations l ON l.id = i.stock_location_id AND l.deleted_at IS NULL
        JOIN variants v ON v.id = i.variant_id AND v.deleted_at IS NULL
        JOIN products p ON p.id = v.product_id AND p.deleted_at IS NULL
       WHERE i.deleted_at IS NULL`;
    return selectGroups(
      items,
      ['group', 'name'],
      { units: 'sum(units)', value: 'sum(value)' },
      { showsEmpty: true },
    );
  },
};
