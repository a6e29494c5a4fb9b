import type { Db } from '../../platform/database/knex';
import { createSlots } from '../../platform/slots';
import type { ProductView } from '../product-queries/product-view';
import { buildVisibilitySql } from '../product-queries/visible-products';
import { STORE_CURRENCY, STORE_TRACKS_INVENTORY } from '../store-settings-sql';

/** A variant on sale, with what search engines show of it. */
export interface ListedOffer {
  product_id: number;
  slug: string;
  name: string;
  description: string | null;
  variant_id: number;
  sku: string;
  barcode: string | null;
  price: string;
  currency: string;
  /** Whether it can be bought now; backorderable ones can. */
  is_available: boolean;
  brand: string | null;
  /** The names from the root to the deepest taxon of the product. */
  taxon: string | null;
  /** Of the variant, or else of the master; null without one. Times inside JSON are text. */
  image: { id: number; attachment_file_name: string; attachment_updated_at: string } | null;
  options: { type: string; value: string }[];
}

/** A page of a product for search engines. */
export interface ListedPage {
  id: number;
  slug: string;
  updated_at: Date;
}

/** Products that one statement reads. */
const PAGE = 500;

/** A file of a large catalog reads all of it, page by page: one at a time leaves the connections to shoppers. */
const pageSlots = createSlots({ concurrency: 1, waiting: 50, waitMs: 10_000 });

/** Yields the variants on sale of the products in view, by product id, in constant memory. Holds no connection between pages. */
export async function* readOffers(db: Db, view: ProductView): AsyncGenerator<ListedOffer[]> {
  let after = 0;
  for (;;) {
    const page = await pageSlots(() => readPages(db, view, { after, limit: PAGE }));
    const last = page.at(-1);
    if (last === undefined) return;
    yield await pageSlots(() => findOffers(db, page.map(({ id }) => id))); // prettier-ignore
    after = last.id;
  }
}

/** Yields the pages of the products in view, by id: `count` of them, after the first `skipped`. */
export async function* readProductPages(
  db: Db,
  view: ProductView,
  { skipped, count }: { skipped: number; count: number },
): AsyncGenerator<ListedPage[]> {
  let after = skipped === 0 ? 0 : await findIdAt(db, view, skipped);
  let left = after === null ? 0 : count;
  while (left > 0) {
    const start = after ?? 0;
    const page = await pageSlots(() => readPages(db, view, { after: start, limit: Math.min(PAGE, left) }));
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.id;
    left -= page.length;
  }
}

async function readPages(
  db: Db,
  view: ProductView,
  { after, limit }: { after: number; limit: number },
): Promise<ListedPage[]> {
  const visible = buildVisibilitySql(view);
  const { rows } = await db.raw<{ rows: ListedPage[] }>(
    `SELECT id, slug, updated_at FROM products WHERE id > ? AND ${visible.sql} ORDER BY id LIMIT ?`,
    [after, ...visible.bindings, limit],
  );
  return rows;
}

/** Returns the id of the last of the first `skipped` products; null if there are fewer. */
async function findIdAt(db: Db, view: ProductView, skipped: number): Promise<number | null> {
  const visible = buildVisibilitySql(view);
  const { rows } = await pageSlots(() =>
    db.raw<{ rows: { id: number }[] }>(
      `SELECT id FROM products WHERE ${visible.sql} ORDER BY id LIMIT 1 OFFSET ?`,
      [...visible.bindings, skipped - 1],
    ),
  );
  return rows[0]?.id ?? null;
}

/** Returns the number of products in view. */
export async function countListedProducts(db: Db, view: ProductView): Promise<number> {
  const visible = buildVisibilitySql(view);
  const { rows } = await pageSlots(() =>
    db.raw<{ rows: { n: number }[] }>(
      `SELECT CAST(count(*) AS integer) AS n FROM products WHERE ${visible.sql}`,
      visible.bindings,
    ),
  );
  return rows[0]?.n ?? 0;
}

/** The property of the brand, in the languages of stores, in lower case. */
const BRAND_NAMES = ['brand', 'marke', 'marque', 'marca', 'merk', 'ブランド'];

async function findOffers(db: Db, productIds: readonly number[]): Promise<ListedOffer[]> {
  const { rows } = await db.raw<{ rows: ListedOffer[] }>(
    `SELECT sold.product_id, products.slug, products.name, products.description, sold.variant_id, sold.sku, sold.barcode,
       sold.price, sold.currency, sold.is_available,
       (SELECT value FROM product_properties JOIN properties ON properties.id = product_properties.property_id
        WHERE product_properties.product_id = sold.product_id AND lower(properties.name) = ANY(?)
        ORDER BY product_properties.position, product_properties.id LIMIT 1) AS brand,
       (SELECT taxons.pretty_name FROM classifications JOIN taxons ON taxons.id = classifications.taxon_id
        WHERE classifications.product_id = sold.product_id ORDER BY taxons.depth DESC, taxons.id LIMIT 1) AS taxon,
       (SELECT json_build_object('id', images.id, 'attachment_file_name', images.attachment_file_name,
                 'attachment_updated_at', images.attachment_updated_at)
        FROM images JOIN variants AS owner ON owner.id = images.variant_id
        WHERE owner.product_id = sold.product_id AND (owner.id = sold.variant_id OR owner.is_master)
        ORDER BY owner.id = sold.variant_id DESC, images.position, images.id LIMIT 1) AS image,
       COALESCE((
         SELECT json_agg(json_build_object('type', option_types.name, 'value', option_values.presentation)
                         ORDER BY option_types.position, option_types.id)
         FROM variant_option_values JOIN option_values ON option_values.id = variant_option_values.option_value_id
         JOIN option_types ON option_types.id = option_values.option_type_id
         WHERE variant_option_values.variant_id = sold.variant_id), '[]') AS options
     FROM (
       SELECT variants.product_id, variants.id AS variant_id, variants.sku, variants.barcode, variants.position,
         prices.amount AS price, prices.currency, variants.is_master,
         bool_or(NOT variants.is_master) OVER (PARTITION BY variants.product_id) AS has_variants,
         NOT variants.track_inventory OR NOT ${STORE_TRACKS_INVENTORY} OR EXISTS (
           SELECT FROM stock_items JOIN stock_locations ON stock_locations.id = stock_items.stock_location_id
           WHERE stock_items.variant_id = variants.id AND stock_items.deleted_at IS NULL AND stock_locations.active
             AND stock_locations.deleted_at IS NULL AND (stock_items.count_on_hand > 0 OR stock_items.backorderable)
         ) AS is_available
       FROM variants JOIN prices ON prices.variant_id = variants.id AND prices.deleted_at IS NULL
         AND prices.currency = ${STORE_CURRENCY}
       WHERE variants.product_id = ANY(?) AND variants.deleted_at IS NULL
     ) AS sold
     JOIN products ON products.id = sold.product_id
     WHERE sold.is_master <> sold.has_variants
     ORDER BY sold.product_id, sold.position, sold.variant_id`,
    [BRAND_NAMES, [...productIds]],
  );
  return rows;
}
