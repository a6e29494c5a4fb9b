/**
 * The statements that write one batch of load-test products, in order. Each `:name` is a binding from
 * load-catalogue.ts. Pseudo-random values are derived from the md5 of the product number, so they are the same on every
 * machine and in every version of PostgreSQL.
 */

/** Builds a pseudo-random number from 0 to 2^28 - 1, determined by the product number and the salt. */
function randomSql(salt: string): string {
  return `('x' || substr(md5(n || '${salt}'), 1, 7))::bit(28)::integer`;
}

/** Builds a pseudo-random element of a list binding. */
function pickSql(list: string, salt: string): string {
  return `(CAST(:${list} AS text[]))[1 + ${randomSql(salt)} % cardinality(CAST(:${list} AS text[]))]`;
}

function nextIdSql(table: string): string {
  return `nextval(pg_get_serial_sequence('${table}', 'id'))::integer`;
}

const PLAN_PRODUCTS = `
  CREATE TEMPORARY TABLE load_products ON COMMIT DROP AS
  SELECT n, ${nextIdSql('products')} AS id, 'LOAD-' || lpad(n::text, 7, '0') AS sku,
    ${pickSql('adjectives', 'adjective')} AS adjective, ${pickSql('materials', 'material')} AS material,
    ${pickSql('nouns', 'noun')} AS noun,
    ${pickSql('syllables', 'first')} || ${pickSql('syllables', 'second')} || ${pickSql('syllables', 'third')} AS model,
    ${pickSql('categories', 'category')} AS category, ${pickSql('makers', 'maker')} AS maker,
    ${pickSql('colors', 'color')} AS color, 500 + ${randomSql('price')} % 29500 AS cents
  FROM generate_series(CAST(:first AS integer), CAST(:last AS integer)) AS n`;

/** Rank 1 is the master; the others have the sizes in order. Size large costs five dollars more. */
const PLAN_VARIANTS = `
  CREATE TEMPORARY TABLE load_variants ON COMMIT DROP AS
  SELECT n, rank, id AS product_id, ${nextIdSql('variants')} AS id, color, size,
    sku || COALESCE('-' || upper(left(size, 1)), '') AS sku,
    (cents + CASE WHEN size = 'large' THEN 500 ELSE 0 END) / 100.0 AS price,
    rank > 1 AND ${randomSql('backorder')} % 4 > 0 AS backorderable,
    CASE WHEN rank = 1 OR ${randomSql('stock')} % 10 = rank THEN 0 ELSE ${randomSql('count')} % 120 + rank END AS count_on_hand
  FROM load_products
  CROSS JOIN unnest(ARRAY[NULL] || CAST(:sizes AS text[])) WITH ORDINALITY AS sizes (size, rank)
  ORDER BY n, rank`;

/** Sets `priced_in` and the prices to what the triggers on prices would set, so that each row is written only once. */
const PRODUCTS = `
  INSERT INTO products (id, name, slug, description, meta_keywords, available_on, shipping_category_id, priced_in,
    master_price, lowest_price, highest_price)
  SELECT id, initcap(adjective || ' ' || material || ' ' || noun || ' ' || model),
    adjective || '-' || material || '-' || noun || '-' || model || '-' || n,
    'The ' || initcap(model) || ' is a ' || adjective || ' ' || noun || ' made of ' || material || ' for the ' || category
      || ', in ' || color || '. Designed and finished by ' || initcap(maker) || '.',
    noun || ', ' || material || ', ' || category,
    timestamptz '2026-01-01 00:00:00Z' - make_interval(days => n % 700), CAST(:shipping_category_id AS integer),
    ARRAY['USD'], master_price, lowest_price, highest_price
  FROM load_products
  JOIN (
    SELECT product_id, min(price) FILTER (WHERE rank = 1) AS master_price,
      min(price) FILTER (WHERE rank > 1) AS lowest_price, max(price) FILTER (WHERE rank > 1) AS highest_price
    FROM load_variants GROUP BY product_id
  ) AS prices ON prices.product_id = load_products.id
  ORDER BY id`;

const VARIANTS = `
  INSERT INTO variants (id, product_id, sku, is_master, position, weight)
  SELECT id, product_id, sku, rank = 1, rank, n % 40 / 4.0 FROM load_variants ORDER BY id`;

const PRICES = `
  INSERT INTO prices (variant_id, currency, amount)
  SELECT id, 'USD', price FROM load_variants ORDER BY id`;

const PRODUCT_OPTION_TYPES = `
  INSERT INTO product_option_types (product_id, option_type_id, position)
  SELECT load_products.id, option_types.id, row_number() OVER (PARTITION BY load_products.id ORDER BY option_types.position)
  FROM load_products CROSS JOIN option_types
  WHERE option_types.name IN ('load-color', 'load-size')`;

const VARIANT_OPTION_VALUES = `
  INSERT INTO variant_option_values (variant_id, option_value_id)
  SELECT load_variants.id, option_values.id
  FROM load_variants
  JOIN option_types ON option_types.name IN ('load-color', 'load-size')
  JOIN option_values ON option_values.option_type_id = option_types.id
    AND option_values.name = CASE option_types.name WHEN 'load-color' THEN color ELSE size END
  WHERE rank > 1`;

const CLASSIFICATIONS = `
  INSERT INTO classifications (product_id, taxon_id, position)
  SELECT load_products.id, taxons.id,
    COALESCE((SELECT max(position) FROM classifications WHERE taxon_id = taxons.id), 0)
      + row_number() OVER (PARTITION BY taxons.id ORDER BY n)
  FROM load_products
  JOIN taxons ON taxons.permalink IN ('load-categories/' || category, 'load-makers/' || maker)`;

/** Writes stock items in all locations with `propagate_all_variants`; the default location has all stock. */
const STOCK_ITEMS = `
  INSERT INTO stock_items (stock_location_id, variant_id, count_on_hand, backorderable)
  SELECT locations.id, load_variants.id, CASE WHEN locations.is_default THEN count_on_hand ELSE 0 END,
    locations.backorderable_default AND backorderable
  FROM load_variants CROSS JOIN stock_locations AS locations
  WHERE locations.propagate_all_variants AND locations.deleted_at IS NULL
  ORDER BY locations.id, load_variants.id`;

const STOCK_MOVEMENTS = `
  INSERT INTO stock_movements (stock_item_id, quantity, action)
  SELECT stock_items.id, stock_items.count_on_hand, 'received'
  FROM load_variants JOIN stock_items ON stock_items.variant_id = load_variants.id
  WHERE stock_items.count_on_hand <> 0
  ORDER BY stock_items.id`;

/** Every product has several consecutive shared images, starting at a pseudo-random one. */
const IMAGES = `
  INSERT INTO images (variant_id, position, storage_key, attachment_content_type, attachment_file_name, attachment_width,
    attachment_height, attachment_updated_at)
  SELECT load_variants.id, position,
    (CAST(:storage_keys AS text[]))[1 + (${randomSql('image')} + position) % cardinality(CAST(:storage_keys AS text[]))],
    'image/jpeg', 'load-' || position || '.jpg', CAST(:canvas AS integer), CAST(:canvas AS integer),
    timestamptz '2026-01-01 00:00:00Z'
  FROM load_variants CROSS JOIN generate_series(1, CAST(:images AS integer)) AS position
  WHERE rank = 1
  ORDER BY load_variants.id, position`;

export const BATCH_STATEMENTS: readonly string[] = [
  PLAN_PRODUCTS,
  PLAN_VARIANTS,
  PRODUCTS,
  VARIANTS,
  PRICES,
  PRODUCT_OPTION_TYPES,
  VARIANT_OPTION_VALUES,
  CLASSIFICATIONS,
  STOCK_ITEMS,
  STOCK_MOVEMENTS,
  IMAGES,
];
