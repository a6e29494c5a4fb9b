import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { findIdPage } from '../../platform/query-builder/id-page';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { createSlots } from '../../platform/slots';
import { applyFilters } from '../../platform/query-builder/apply-search';
import { createRecords } from '../../platform/resource/records';
import type { ProductView } from '../product-queries/product-view';
import { filterVisibleProducts } from '../product-queries/visible-products';
import { STORE_CURRENCY } from '../store-settings-sql';
import { Variant, type VariantColumns, type VariantRow } from './variants.definition';
import { variantSearch } from './variants.search';

export const variantRecords = createRecords(Variant);

/** Builds the query of the variants in view, masters included, of one product, or of all products for null. */
function queryVariantsInView(db: Db, view: ProductView, productId: number | null) {
  const query = filterVisibleProducts(
    db<VariantRow>('variants').join('products', 'products.id', 'variants.product_id'),
    view,
  );
  if (!view.deleted) void query.whereNull('variants.deleted_at');
  if (productId !== null) void query.where('variants.product_id', productId);
  return query;
}

/**
 * The slots of lists of all variants. Anyone may list them, and their total and sorts may read the whole catalog; more at
 * once would take the connections of the shop.
 */
const listSlots = createSlots({ concurrency: 2, waiting: 100, waitMs: 10_000 });

/** Returns the ids of one page and the exact total. @throws Unavailable if too many lists of all variants wait */
export async function findVariantPage(
  db: Db,
  list: ListQuery,
  view: ProductView,
  productId: number | null,
): Promise<Page<number>> {
  const matching = applyFilters(queryVariantsInView(db, view, productId), list, variantSearch);
  const find = () => findIdPage(db, matching, list, variantSearch);
  return productId === null ? listSlots(find) : find();
}

/** Returns the variant if its product is in view and is the given one; null means any product. */
export async function findVisibleVariant(
  db: Db,
  view: ProductView,
  id: number,
  productId: number | null,
): Promise<VariantRow | undefined> {
  return queryVariantsInView(db, view, productId)
    .where('variants.id', id)
    .first<VariantRow | undefined>('variants.*');
}

/** Returns the variant or master of the product with this id, unless it is deleted. */
export async function findLiveVariant(
  tx: Tx,
  productId: number,
  id: number,
): Promise<VariantRow | undefined> {
  return tx<VariantRow>('variants').where({ product_id: productId, id }).whereNull('deleted_at').first();
}

/** Returns those of the ids that are variants of the product or its master, without deleted ones. */
export async function findLiveVariantIdsOf(
  tx: Tx,
  productId: number,
  ids: readonly number[],
): Promise<number[]> {
  return tx('variants')
    .where({ product_id: productId })
    .whereIn('id', ids)
    .whereNull('deleted_at')
    .pluck<number[]>('id');
}

/** Returns the highest position among the variants of the product, including deleted ones, or 0. */
export async function findLastPosition(tx: Tx, productId: number): Promise<number> {
  const row: { last: number | null } | undefined = await tx('variants')
    .where({ product_id: productId })
    .max<{ last: number | null }>({ last: 'position' })
    .first();
  return row?.last ?? 0;
}

const DEFAULTS = Variant.newValues(Variant.Attributes.parse({}));

const COLUMN_NAMES = Object.keys(DEFAULTS).join(', ');

/** A variant to insert; missing columns have their default. */
export type NewVariant = Partial<VariantColumns> & {
  product_id: number;
  is_master: boolean;
  position: number;
};

/** Inserts variants of any products, in one statement. @returns the new ids, in the order of the rows */
export async function insertVariants(tx: Tx, rows: readonly NewVariant[]): Promise<number[]> {
  if (rows.length === 0) return [];
  const { rows: inserted } = await tx.raw<{ rows: { id: number }[] }>(
    `INSERT INTO variants (${COLUMN_NAMES})
     SELECT ${COLUMN_NAMES}
     FROM jsonb_array_elements(?) WITH ORDINALITY AS given (variant, n),
       jsonb_populate_record(CAST(NULL AS variants), given.variant)
     ORDER BY n RETURNING id`,
    [JSON.stringify(rows.map((row) => ({ ...DEFAULTS, ...row })))],
  );
  return inserted.map(({ id }) => id);
}

/** Returns the master of a product, which is deleted only with its product. */
export async function getMaster(tx: Tx, productId: number): Promise<VariantRow> {
  const master = await tx<VariantRow>('variants').where({ product_id: productId, is_master: true }).first();
  if (master === undefined) throw new Error(`product ${productId} has no master`);
  return master;
}

/** Sets the price of each variant in a currency; defaults to that of the store. */
export async function upsertPrices(
  tx: Tx,
  prices: readonly { variant_id: number; amount: string; currency?: string }[],
): Promise<void> {
  if (prices.length === 0) return;
  await tx.raw(
    `INSERT INTO prices (variant_id, currency, amount)
     SELECT given.variant_id, COALESCE(given.currency, ${STORE_CURRENCY}), given.amount
     FROM unnest(CAST(:ids AS integer[]), CAST(:currencies AS text[]), CAST(:amounts AS numeric[]))
       AS given (variant_id, currency, amount)
     ON CONFLICT (variant_id, currency) WHERE deleted_at IS NULL DO UPDATE SET amount = EXCLUDED.amount
       WHERE prices.amount <> EXCLUDED.amount`,
    {
      ids: prices.map((price) => price.variant_id),
      currencies: prices.map((price) => price.currency ?? null),
      amounts: prices.map((price) => price.amount),
    },
  );
}

/** The currency of the store, and the current prices and cost prices of variants. */
export interface CurrentPrices {
  currency: string;
  /** By variant id: the cost price, and the amounts by currency. Deleted variants are missing. */
  variants: Map<number, { cost_price: string | null; amounts: Record<string, string> }>;
}

/** Loads the current prices of these variants. One statement. */
export async function loadCurrentPrices(db: Db, variantIds: readonly number[]): Promise<CurrentPrices> {
  const { rows } = await db.raw<{
    rows: {
      currency: string;
      id: number | null;
      cost_price: string | null;
      amounts: Record<string, string> | null;
    }[];
  }>(
    `SELECT store.currency, variants.id, variants.cost_price,
            (SELECT jsonb_object_agg(prices.currency, prices.amount::text) FROM prices
              WHERE prices.variant_id = variants.id AND prices.deleted_at IS NULL) AS amounts
       FROM (SELECT ${STORE_CURRENCY} AS currency) AS store
       LEFT JOIN variants ON variants.id = ANY(?) AND variants.deleted_at IS NULL`,
    [[...variantIds]],
  );
  const variants = rows.flatMap(({ id, cost_price, amounts }) =>
    id === null ? [] : [[id, { cost_price, amounts: amounts ?? {} }] as const],
  );
  return { currency: rows[0]?.currency ?? '', variants: new Map(variants) };
}

/**
 * Copies the current prices of the master to variants, in all currencies.
 * @returns whether the store's is among them
 */
export async function copyMasterPrices(
  tx: Tx,
  productId: number,
  variantIds: readonly number[],
): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: { is_stores: boolean }[] }>(
    `INSERT INTO prices (variant_id, currency, amount)
     SELECT given.id, prices.currency, prices.amount
     FROM unnest(CAST(:variantIds AS integer[])) AS given (id), prices
       JOIN variants AS masters ON masters.id = prices.variant_id
     WHERE masters.product_id = :productId AND masters.is_master AND prices.deleted_at IS NULL
     RETURNING currency = ${STORE_CURRENCY} AS is_stores`,
    { variantIds: [...variantIds], productId },
  );
  return rows.some((row) => row.is_stores);
}

/** Returns the ids of the variants and the master of the product that are not deleted. */
export async function findLiveVariantIds(tx: Tx, productId: number): Promise<number[]> {
  return tx('variants').where({ product_id: productId }).whereNull('deleted_at').pluck<number[]>('id');
}

/** Marks variants as deleted. The caller does the same with their prices and stock items. */
export async function markVariantsDeleted(tx: Tx, ids: readonly number[], now: Date): Promise<void> {
  await tx('variants').whereIn('id', ids).update({ deleted_at: now });
}

/** Marks the current prices of these variants as deleted. Deleted products still show their last prices. */
export async function markPricesDeleted(tx: Tx, variantIds: readonly number[], now: Date): Promise<void> {
  await tx('prices').whereIn('variant_id', variantIds).whereNull('deleted_at').update({ deleted_at: now });
}
