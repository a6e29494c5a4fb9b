/**
 * The statements that write, for the products of one batch, what triggers write otherwise. `batch-sql.ts` sets the
 * columns of products that follow from prices.
 */
export const DERIVE_STATEMENTS: readonly string[] = [
  'SELECT rebuild_product_listings(ARRAY(SELECT id FROM load_products ORDER BY id))',
  'SELECT rebuild_search_documents(ARRAY(SELECT id FROM load_products ORDER BY id))',
  `INSERT INTO stock_item_changes
   SELECT stock_items.id, stock_items.stock_location_id, stock_items.updated_at
   FROM load_variants JOIN stock_items ON stock_items.variant_id = load_variants.id ORDER BY stock_items.id`,
  `INSERT INTO catalog_revisions (kind) VALUES ('product'), ('visibility'), ('shared'), ('stock')`,
];
