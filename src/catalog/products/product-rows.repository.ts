import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { STORE_CURRENCY } from '../store-settings-sql';
import {
  FILE_COLUMNS,
  TEXT_COLUMNS,
  TIME_COLUMNS,
  type FileColumns,
  type TextColumn,
  type TimeColumn,
} from './file-columns';

/** A variant, or the master of a product, with all that a row of a file says about it. */
export interface ProductRecord extends Record<TextColumn, string | null>, Record<TimeColumn, Date | null> {
  product_id: number;
  variant_id: number;
  slug: string;
  name: string;
  shipping_category: string;
  tax_category: string | null;
  /** Permalinks. */
  taxons: string[];
  is_master: boolean;
  position: number;
  sku: string;
  barcode: string | null;
  /** In the currency of the store; null for none. */
  price: string | null;
  cost_price: string | null;
  weight: string;
  height: string | null;
  width: string | null;
  depth: string | null;
  track_inventory: boolean;
  /** The names of option types and values, by the position of the type. */
  options: { type: string; value: string }[];
}

/**
 * Loads the variants of these products, by product id, the master first. Omits deleted variants. One statement.
 */
export async function loadProductRecords(db: Db, productIds: readonly number[]): Promise<ProductRecord[]> {
  if (productIds.length === 0) return [];
  const { rows } = await db.raw<{ rows: ProductRecord[] }>(
    `SELECT products.id AS product_id, variants.id AS variant_id, products.slug, products.name,
            ${[...TEXT_COLUMNS, ...TIME_COLUMNS].map((name) => `products.${name}`).join(', ')},
            shipping_categories.name AS shipping_category,
            tax_categories.name AS tax_category,
            coalesce(classified.taxons, '{}') AS taxons,
            variants.is_master, variants.position, variants.sku, variants.barcode, prices.amount AS price, variants.cost_price,
            variants.weight, variants.height, variants.width, variants.depth, variants.track_inventory,
            coalesce(optioned.options, '[]') AS options
       FROM products
       JOIN variants ON variants.product_id = products.id AND variants.deleted_at IS NULL
       JOIN shipping_categories ON shipping_categories.id = products.shipping_category_id
       LEFT JOIN tax_categories ON tax_categories.id = products.tax_category_id
       LEFT JOIN prices ON prices.variant_id = variants.id AND prices.deleted_at IS NULL
                       AND prices.currency = ${STORE_CURRENCY}
       LEFT JOIN (SELECT classifications.product_id, array_agg(taxons.permalink ORDER BY taxons.permalink) AS taxons
                    FROM classifications JOIN taxons ON taxons.id = classifications.taxon_id
                   WHERE classifications.product_id = ANY(:ids) GROUP BY 1) AS classified
         ON classified.product_id = products.id
       LEFT JOIN (SELECT owners.id AS variant_id,
                         json_agg(json_build_object('type', option_types.name, 'value', option_values.name)
                                  ORDER BY option_types.position, option_types.id) AS options
                    FROM variants AS owners
                    JOIN variant_option_values ON variant_option_values.variant_id = owners.id
                    JOIN option_values ON option_values.id = variant_option_values.option_value_id
                    JOIN option_types ON option_types.id = option_values.option_type_id
                   WHERE owners.product_id = ANY(:ids) GROUP BY 1) AS optioned
         ON optioned.variant_id = variants.id
      WHERE products.id = ANY(:ids)
      ORDER BY products.id, variants.is_master DESC, variants.position, variants.id`,
    { ids: [...productIds] },
  );
  return rows;
}

/** Returns the ids of the products with these slugs that are not deleted, by slug. */
export async function findProductIdsBySlug(db: Db, slugs: readonly string[]): Promise<Map<string, number>> {
  const rows = await db('products')
    .whereRaw('slug = ANY(?)', [[...slugs]])
    .whereNull('deleted_at')
    .select<{ id: number; slug: string }[]>('id', 'slug');
  return new Map(rows.map((row) => [row.slug, row.id]));
}

/** Returns the ids of the taxons with these permalinks, by permalink. */
export async function findTaxonIds(db: Db, permalinks: readonly string[]): Promise<Map<string, number>> {
  const rows = await db('taxons')
    .whereRaw('permalink = ANY(?)', [[...permalinks]])
    .select<{ id: number; permalink: string }[]>('id', 'permalink');
  return new Map(rows.map((row) => [row.permalink, row.id]));
}

/** Returns the ids of the tax categories with these names, which cannot be deleted before the transaction ends. */
export async function lockTaxCategoryIds(tx: Tx, names: readonly string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const { rows } = await tx.raw<{ rows: { id: number; name: string }[] }>(
    'SELECT id, name FROM tax_categories WHERE name = ANY(?) AND deleted_at IS NULL ORDER BY id FOR KEY SHARE',
    [[...names]],
  );
  return new Map(rows.map((row) => [row.name, row.id]));
}

/** Returns the name of the shipping category of products that name none: the oldest one, or else `Default`. */
export async function getDefaultShippingCategory(db: Db): Promise<string> {
  const first = await db('shipping_categories').orderBy('id').first<{ name: string } | undefined>('name');
  return first?.name ?? 'Default';
}

/**
 * Inserts products, with null for missing columns, and takes former slugs of other products that are equal. One
 * statement for any number of products.
 * @returns the new ids by slug; a slug is missing if another transaction has taken it
 */
export async function insertProducts(
  tx: Tx,
  products: readonly (Partial<FileColumns> & { slug: string })[],
): Promise<Map<string, number>> {
  if (products.length === 0) return new Map();
  const names = FILE_COLUMNS.join(', ');
  const { rows } = await tx.raw<{ rows: { id: number; slug: string }[] }>(
    `WITH released AS (DELETE FROM product_slugs WHERE slug = ANY(:slugs))
     INSERT INTO products (slug, priced_in, ${names})
     SELECT given.product ->> 'slug', ARRAY[${STORE_CURRENCY}], ${names}
       FROM jsonb_array_elements(:products) WITH ORDINALITY AS given (product, n),
            jsonb_populate_record(CAST(NULL AS products), given.product - 'slug')
      ORDER BY n
     ON CONFLICT (slug) WHERE deleted_at IS NULL DO NOTHING
     RETURNING id, slug`,
    { slugs: products.map(({ slug }) => slug), products: JSON.stringify(products) },
  );
  return new Map(rows.map((row) => [row.slug, row.id]));
}
