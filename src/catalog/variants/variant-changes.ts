import { checkAllRead } from '../../platform/all-read';
import { BLANK, INVALID, InvalidResource, requireFound } from '../../platform/errors';
import { freeValues } from '../../platform/database/free-values';
import type { Tx } from '../../platform/database/transaction';
import { appendPositions, separatePositions } from '../append-positions.repository';
import type { VariantStock } from '../context';
import { requireTaxCategory } from '../tax-categories/tax-categories.service';
import { applyOptions } from './variant-options';
import {
  Variant,
  type Article,
  type VariantAttributes,
  type VariantChanges,
  type VariantColumns,
} from './variants.definition';
import {
  copyMasterPrices,
  findLastPosition,
  findLiveVariant,
  findLiveVariantIds,
  findLiveVariantIdsOf,
  getMaster,
  insertVariants,
  markPricesDeleted,
  markVariantsDeleted,
  upsertPrices,
  variantRecords,
} from './variants.repository';

/** These functions run in the transaction that changes the product, and expect the product locked. */

/** What is stored besides the columns of a variant. */
type Part = 'id' | 'price' | 'options' | 'option_value_ids';

/** Creates the master of a new product, with its price and stock items. @throws InvalidResource for a taken sku */
export async function addMaster(
  tx: Tx,
  stock: VariantStock,
  productId: number,
  attributes: Article & { price: string },
): Promise<void> {
  const row = { ...readArticle(attributes), product_id: productId, is_master: true, position: 1 };
  const ids = await insertVariants(tx, [row]);
  await setPrices(tx, ids.map((id) => ({ id, price: attributes.price }))); // prettier-ignore
  await stock.create(tx, ids);
}

/** Updates the master from the body of its product. Variants keep their prices. */
export async function updateMaster(
  tx: Tx,
  productId: number,
  changes: Article & { price?: string | undefined },
): Promise<void> {
  const { id } = await getMaster(tx, productId);
  await variantRecords.update(tx, id, readArticle(changes));
  await setPrices(tx, [{ id, price: changes.price }]);
}

/**
 * Creates variants with their prices, options and stock items. Prices default to those of the master. Each variant gets
 * a stock item at every location that propagates variants; the stock of the master is set to 0. Takes a constant number
 * of statements.
 * @returns the new ids
 * @throws InvalidResource
 */
export async function addVariants(
  tx: Tx,
  stock: VariantStock,
  productId: number,
  rows: readonly VariantAttributes[],
): Promise<number[]> {
  if (rows.length === 0) return [];
  await requireTaxCategories(tx, rows);
  const columns = appendPositions(rows.map(readColumns), await findLastPosition(tx, productId));
  const ids = await insertVariants(
    tx,
    columns.map((row) => ({ ...row, product_id: productId, is_master: false })),
  );
  const variants = rows.flatMap((row, index) => {
    const id = ids[index];
    return id === undefined ? [] : [{ ...row, id }];
  });
  await placeVariants(tx, productId, variants);
  await setPrices(tx, variants);
  const unpriced = variants.filter(({ price }) => price == null).map(({ id }) => id);
  if (unpriced.length > 0 && !(await copyMasterPrices(tx, productId, unpriced))) {
    throw new InvalidResource({ price: [BLANK] });
  }
  await applyOptions(tx, productId, variants);
  await stock.create(tx, ids);
  const [first] = ids;
  if (first !== undefined) await stock.emptyMaster(tx, { product_id: productId, new_variant_id: first });
  return ids;
}

type VariantChange = { id: number } & (VariantAttributes | VariantChanges);

/**
 * Updates variants of the product. Of several rows with one id, later attributes win. Takes a constant number of
 * statements.
 * @throws InvalidResource also for an id of another product
 */
export async function updateVariants(
  tx: Tx,
  productId: number,
  rows: readonly VariantChange[],
): Promise<void> {
  if (rows.length === 0) return;
  const byId = new Map<number, VariantChange>();
  for (const row of rows) byId.set(row.id, { ...byId.get(row.id), ...row });
  const live = await findLiveVariantIdsOf(tx, productId, [...byId.keys()]);
  if (live.length < byId.size) throw new InvalidResource({ id: [INVALID] });
  const changes = [...byId.values()];
  await requireTaxCategories(tx, changes);
  const written = changes.map((change) => ({ id: change.id, columns: readColumns(change) }));
  await freeValues(tx, { table: 'variants', column: 'sku' }, written);
  await variantRecords.updateEach(tx, written);
  await placeVariants(tx, productId, changes);
  await setPrices(tx, changes);
  await applyOptions(tx, productId, changes);
}

/** Moves other variants behind those that were written with a position. */
async function placeVariants(
  tx: Tx,
  productId: number,
  written: readonly { id: number; position?: number | null | undefined }[],
): Promise<void> {
  const placed = written.filter(({ position }) => position != null).map(({ id }) => id);
  if (placed.length > 0) await separatePositions(tx, { table: 'variants', parent_id: productId }, placed);
}

async function requireTaxCategories(
  tx: Tx,
  rows: readonly Pick<VariantAttributes, 'tax_category_id'>[],
): Promise<void> {
  for (const id of new Set(rows.map((row) => row.tax_category_id))) await requireTaxCategory(tx, id);
}

/**
 * Sets the given prices in the currency of the store. They are stored as given: amounts are rounded to the currency
 * when they are shown or sold.
 */
async function setPrices(
  tx: Tx,
  variants: readonly { id: number; price?: string | null | undefined }[],
): Promise<void> {
  await upsertPrices(
    tx,
    variants.flatMap(({ id, price }) => (price == null ? [] : [{ variant_id: id, amount: price }])),
  );
}

/** Marks a variant and its stock items as deleted. @throws NotFound, InvalidResource for a master */
export async function deleteVariantWithStock(
  tx: Tx,
  stock: VariantStock,
  { product_id, id }: { product_id: number; id: number },
  now: Date,
): Promise<void> {
  const variant = requireFound(await findLiveVariant(tx, product_id, id));
  if (variant.is_master) throw new InvalidResource({ base: ['The master variant cannot be deleted'] });
  await markVariantsDeleted(tx, [id], now);
  await stock.remove(tx, [id], now);
}

/** Marks all variants of a product, its master included, as deleted, with their prices and stock items. */
export async function deleteVariantsOfProduct(
  tx: Tx,
  stock: VariantStock,
  productId: number,
  now: Date,
): Promise<void> {
  const ids = await findLiveVariantIds(tx, productId);
  await markVariantsDeleted(tx, ids, now);
  await markPricesDeleted(tx, ids, now);
  await stock.remove(tx, ids, now);
}

/** Returns the columns of the master among the attributes of its product. */
function readArticle(product: Article): Partial<VariantColumns> {
  const { sku, barcode, weight, height, width, depth, cost_price, cost_currency } = product;
  return readColumns({ sku, barcode, weight, height, width, depth, cost_price, cost_currency });
}

function readColumns(attributes: Partial<VariantAttributes> | VariantChanges): Partial<VariantColumns> {
  const unread: Omit<VariantAttributes & VariantChanges, keyof VariantColumns | Part> = {};
  checkAllRead(unread);
  const { sku, weight, barcode } = attributes;
  return Variant.changedValues({
    ...attributes,
    // Blank stands for the empty value of its column.
    ...(sku === null && { sku: '' }),
    ...(weight === null && { weight: '0' }),
    ...(barcode === '' && { barcode: null }),
  });
}
