import type { Knex } from 'knex';

/** Builds the condition that the values of a group are not 1, 2, 3 and so on. */
const gaps = (column: string): string =>
  `min(${column}) <> 1 OR max(${column}) <> count(*) OR count(DISTINCT ${column}) <> count(*)`;

/** Each query returns the rows that break its rule. */
const RULES: Record<string, string> = {
  'a product has one master, in position 1': `
    SELECT products.id FROM products LEFT JOIN variants ON variants.product_id = products.id AND variants.is_master
    GROUP BY products.id HAVING count(variants.id) <> 1 OR max(variants.position) <> 1`,
  'variants are numbered without gaps': `
    SELECT product_id FROM variants GROUP BY product_id
    HAVING ${gaps('position')}`,
  'a variant has one price, in dollars': `
    SELECT variants.id FROM variants LEFT JOIN prices ON prices.variant_id = variants.id AND prices.currency = 'USD'
    GROUP BY variants.id HAVING count(prices.id) <> 1`,
  'a product knows the currencies its master is priced in': `
    SELECT products.id FROM products
    JOIN variants ON variants.product_id = products.id AND variants.is_master
    JOIN prices ON prices.variant_id = variants.id
    GROUP BY products.id HAVING products.priced_in <> array_agg(prices.currency ORDER BY prices.currency)`,
  'a variant has a stock item in each location that propagates': `
    SELECT variants.id FROM variants CROSS JOIN stock_locations
    WHERE propagate_all_variants AND NOT EXISTS (
      SELECT FROM stock_items WHERE variant_id = variants.id AND stock_location_id = stock_locations.id)`,
  'count_on_hand is the sum of the movements': `
    SELECT stock_items.id FROM stock_items
    LEFT JOIN stock_movements ON stock_movements.stock_item_id = stock_items.id AND counted
    GROUP BY stock_items.id HAVING count_on_hand <> COALESCE(sum(quantity), 0)`,
  'a master with variants beside it has no stock': `
    SELECT variants.id FROM variants JOIN stock_items ON stock_items.variant_id = variants.id
    WHERE is_master AND (count_on_hand <> 0 OR backorderable)
      AND EXISTS (SELECT FROM variants AS others WHERE others.product_id = variants.product_id AND NOT others.is_master)`,
  'a variant has one value of each option type of its product, and of no other': `
    SELECT variants.id FROM variants
    LEFT JOIN variant_option_values ON variant_option_values.variant_id = variants.id
    LEFT JOIN option_values ON option_values.id = option_value_id
    WHERE NOT is_master GROUP BY variants.id, variants.product_id
    HAVING array_agg(option_type_id ORDER BY option_type_id) IS DISTINCT FROM (
      SELECT array_agg(option_type_id ORDER BY option_type_id) FROM product_option_types
      WHERE product_option_types.product_id = variants.product_id)`,
  'a master has no option values': `
    SELECT variants.id FROM variants JOIN variant_option_values ON variant_id = variants.id WHERE is_master`,
  'no two variants of a product have the same values': `
    SELECT product_id FROM (
      SELECT product_id, string_agg(option_value_id::text, ',' ORDER BY option_value_id) AS option_values
      FROM variants JOIN variant_option_values ON variant_id = variants.id GROUP BY variants.id
    ) AS chosen GROUP BY product_id, option_values HAVING count(*) > 1`,
  'classifications are numbered without gaps in each taxon': `
    SELECT taxon_id FROM classifications GROUP BY taxon_id
    HAVING ${gaps('position')}`,
  'images are numbered without gaps in each variant': `
    SELECT variant_id FROM images GROUP BY variant_id
    HAVING ${gaps('position')}`,
  'a tree is numbered without gaps': `
    SELECT taxonomy_id FROM taxons CROSS JOIN LATERAL unnest(ARRAY[lft, rgt]) AS number
    GROUP BY taxonomy_id HAVING ${gaps('number')}`,
  'a taxon lies within its parent, and its names continue the parent’s': `
    SELECT taxons.id FROM taxons JOIN taxons AS parents ON parents.id = taxons.parent_id
    WHERE taxons.lft < parents.lft OR taxons.rgt > parents.rgt OR taxons.depth <> parents.depth + 1
      OR taxons.taxonomy_id <> parents.taxonomy_id
      OR taxons.pretty_name <> parents.pretty_name || ' -> ' || taxons.name
      OR taxons.permalink NOT LIKE parents.permalink || '/%'
      OR position('/' IN substr(taxons.permalink, length(parents.permalink) + 2)) > 0`,
  'a root has its taxonomy’s name, and no depth': `
    SELECT taxonomies.id FROM taxonomies LEFT JOIN taxons ON taxons.taxonomy_id = taxonomies.id AND parent_id IS NULL
    WHERE taxons.name IS DISTINCT FROM taxonomies.name OR taxons.depth <> 0 OR taxons.pretty_name <> taxons.name`,
};

/** Returns the rules that the catalogue breaks, with the first ids that break them. */
export async function brokenRules(db: Knex): Promise<Record<string, number[]>> {
  const broken: Record<string, number[]> = {};
  for (const [rule, sql] of Object.entries(RULES)) {
    const result = await db.raw<{ rows: Record<string, number>[] }>(`${sql} LIMIT 5`);
    if (result.rows.length > 0) broken[rule] = result.rows.flatMap((row) => Object.values(row));
  }
  return broken;
}
