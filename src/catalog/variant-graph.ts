import type { Metadata } from '../access/metadata';
import type { Db } from '../platform/database/knex';
import { queryPreparedForIds, type PreparedForIds } from '../platform/database/prepared';
import { groupBy } from '../platform/group-by';
import type { ImageRow } from './images/images.definition';
import type { OptionValueRow } from './option-values/option-values.definition';
import type { ProductRow } from './product-queries/products.definition';
import type { MoneyDisplay } from '../platform/money-format';
import { STORE_CURRENCY, STORE_MONEY_FORMAT, STORE_TRACKS_INVENTORY } from './store-settings-sql';

/** A variant with its price and its total stock. */
export interface VariantDetailRow extends MoneyDisplay, Metadata {
  id: number;
  product_id: number;
  sku: string;
  barcode: string | null;
  is_master: boolean;
  position: number;
  weight: string;
  height: string | null;
  width: string | null;
  depth: string | null;
  cost_price: string | null;
  updated_at: Date;
  deleted_at: Date | null;
  /** In `currency`, the currency of the default store; null if the variant has no price in it. */
  price: string | null;
  /** Whether both the variant and the store track inventory. */
  tracks_inventory: boolean;
  /** The sum over active locations; a bigint, which the driver returns as text. */
  count_on_hand: string;
  /** Whether any item in an active location is backorderable. */
  backorderable: boolean;
  option_value_ids: number[];
}

/** The stock of a variant at one location. */
export interface VariantStockItem {
  id: number;
  variant_id: number;
  stock_location_id: number;
  stock_location_name: string;
  count_on_hand: number;
  backorderable: boolean;
  /** The units that are sold and not shipped; missing unless staff read the variant. */
  committed?: number;
}

/** The attributes of a product that its variants show. */
export type VariantProduct = Pick<ProductRow, 'id' | 'name' | 'slug' | 'description'>;

/** A variant with its nested records. */
export interface VariantGraph {
  variant: VariantDetailRow;
  product: VariantProduct;
  /** By their option type's position. */
  option_values: OptionValueRow[];
  images: ImageRow[];
}

export interface VariantGraphWithStock extends VariantGraph {
  stock_items: VariantStockItem[];
}

/** Selects the stock of the variants `variants`, as in `VariantDetailRow`. */
export const VARIANT_STOCK = `
    SELECT COALESCE(sum(stock_items.count_on_hand), 0) AS count_on_hand,
      COALESCE(bool_or(stock_items.backorderable), false) AS backorderable
    FROM stock_items
    JOIN stock_locations ON stock_locations.id = stock_items.stock_location_id
      AND stock_locations.active AND stock_locations.deleted_at IS NULL
    WHERE stock_items.variant_id = variants.id AND stock_items.deleted_at IS NULL`;

/** Selects variants with their current price. Prices of a deleted product are deleted, so the last one counts then. */
const DETAILS = `
  SELECT variants.id, variants.product_id, variants.sku, variants.barcode, variants.is_master, variants.position, variants.weight,
    variants.height, variants.width, variants.depth, variants.cost_price, variants.updated_at, variants.deleted_at,
    variants.metadata, variants.public_metadata,
    price.amount AS price, store.currency, store.money_format, variants.track_inventory AND store.tracks_inventory AS tracks_inventory,
    stock.count_on_hand, stock.backorderable,
    ARRAY(SELECT option_value_id FROM variant_option_values WHERE variant_id = variants.id) AS option_value_ids
  FROM variants
  CROSS JOIN (
    SELECT ${STORE_CURRENCY} AS currency, ${STORE_MONEY_FORMAT} AS money_format,
      ${STORE_TRACKS_INVENTORY} AS tracks_inventory
  ) AS store
  LEFT JOIN LATERAL (
    SELECT amount FROM prices WHERE prices.variant_id = variants.id AND prices.currency = store.currency
    ORDER BY prices.deleted_at DESC NULLS FIRST LIMIT 1
  ) AS price ON true
  CROSS JOIN LATERAL (${VARIANT_STOCK}) AS stock`;

/** A variant with its product and images, as the statement returns them. Times inside JSON are text. */
export interface LoadedVariant extends VariantDetailRow {
  product: VariantProduct;
  images: (Omit<ImageRow, 'attachment_updated_at'> & { attachment_updated_at: string })[] | null;
  /** By their option type's position, then their own. */
  option_values: OptionValueRow[] | null;
}

/** Selects the `LoadedVariant`s that meet a condition on `variants`. */
export const selectVariants = (condition: string): string => `SELECT details.*,
       json_build_object('id', p.id, 'name', p.name, 'slug', p.slug, 'description', p.description) AS product,
       (SELECT json_agg(i ORDER BY i.position, i.id) FROM images i WHERE i.variant_id = details.id) AS images,
       (SELECT json_agg(json_build_object(
            'id', v.id, 'option_type_id', t.id, 'name', v.name, 'presentation', v.presentation, 'position', v.position,
            'option_type_name', t.name, 'option_type_presentation', t.presentation)
          ORDER BY t.position, t.id, v.position, v.id)
        FROM option_values v LEFT JOIN option_types t ON t.id = v.option_type_id
        WHERE v.id = ANY(details.option_value_ids)) AS option_values
     FROM (${DETAILS} WHERE ${condition}) AS details JOIN products p ON p.id = details.product_id`;

const VARIANTS: PreparedForIds = {
  name: 'variants',
  sql: (ids) => selectVariants(`variants.id = ANY(${ids})`),
};

const VARIANTS_OF_PRODUCTS: PreparedForIds = {
  name: 'variants_of_products',
  sql: (ids) =>
    `${selectVariants(`variants.product_id = ANY(${ids}) AND (variants.is_master OR variants.deleted_at IS NULL)`)}
     ORDER BY details.product_id, details.position, details.id`,
};

/**
 * Loads these variants, including deleted ones, in the order of `ids`, for line items, stock items and shipments.
 * Unknown ids are skipped. One query.
 */
export async function loadVariantGraphs(db: Db, ids: readonly number[]): Promise<VariantGraph[]> {
  if (ids.length === 0) return [];
  const rows = await queryPreparedForIds<LoadedVariant>(db, VARIANTS, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []).map(buildLoadedGraph);
}

/**
 * Loads the masters of these products and their variants that are not deleted, by position within each. One query.
 */
export async function loadVariantGraphsOfProducts(
  db: Db,
  productIds: readonly number[],
): Promise<VariantGraph[]> {
  const rows = await queryPreparedForIds<LoadedVariant>(db, VARIANTS_OF_PRODUCTS, productIds);
  return rows.map(buildLoadedGraph);
}

/** Builds the graph of a variant from the columns of `selectVariants`. */
export function buildLoadedGraph({
  product,
  images,
  option_values,
  ...variant
}: LoadedVariant): VariantGraph {
  return {
    variant,
    product,
    option_values: option_values ?? [],
    images: (images ?? []).map((image) => ({
      ...image,
      attachment_updated_at: new Date(image.attachment_updated_at),
    })),
  };
}

/** Loads the same with the stock items of each variant, for the variants endpoints. Two queries. */
export async function loadVariantGraphsWithStock(
  db: Db,
  ids: readonly number[],
): Promise<VariantGraphWithStock[]> {
  const graphs = await loadVariantGraphs(db, ids);
  const stock = groupBy(await findStockItems(db, ids), (item) => item.variant_id);
  return graphs.map((graph) => ({ ...graph, stock_items: stock.get(graph.variant.id) ?? [] }));
}

/** Adds the units that are sold and not shipped, by the ids of stock items: only staff see them. */
export const attachCommitted = (
  graphs: readonly VariantGraphWithStock[],
  committed: ReadonlyMap<number, number>,
): VariantGraphWithStock[] =>
  graphs.map((graph) => ({
    ...graph,
    stock_items: graph.stock_items.map((item) => ({ ...item, committed: committed.get(item.id) ?? 0 })),
  }));

/** Includes items at inactive locations; only totals leave those out. */
async function findStockItems(db: Db, variantIds: readonly number[]): Promise<VariantStockItem[]> {
  const { rows } = await db.raw<{ rows: VariantStockItem[] }>(
    `SELECT stock_items.id, stock_items.variant_id, stock_items.stock_location_id,
       stock_locations.name AS stock_location_name, stock_items.count_on_hand, stock_items.backorderable
     FROM stock_items JOIN stock_locations ON stock_locations.id = stock_items.stock_location_id
     WHERE stock_items.variant_id = ANY(?) AND stock_items.deleted_at IS NULL
     ORDER BY stock_items.variant_id, stock_items.id`,
    [[...variantIds]],
  );
  return rows;
}
