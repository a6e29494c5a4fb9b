import { Conflict, InvalidResource, NotFound } from '../../errors';
import type { Tx } from '../../platform/database/transaction';
import { defined } from '../../platform/defined';
import { LARGEST_PRICE } from '../../platform/http/fields';
import { compareDecimals, roundMoney } from '../../platform/money';
import { requireTaxCategory } from '../tax-categories/tax-categories.service';
import {
  addOptionTypesToProduct,
  findOptionLinks,
  findOptionLinksOfVariant,
  findOrCreateOptionTypes,
  findOrCreateOptionValue,
  replaceOptionValues,
  type OptionLink,
} from './options.repository';
import {
  createStockItemsOfVariant,
  deleteStockItemsOfVariants,
  emptyMasterStock,
} from './variant-stock.repository';
import {
  copyMasterPrices,
  findLiveVariant,
  findLiveVariantIds,
  findStoreCurrency,
  getMaster,
  insertVariant,
  markPricesDeleted,
  markVariantsDeleted,
  putPrice,
  updateVariantColumns,
  type VariantColumns,
} from './variants.repository';
import type { NestedVariant, VariantAttributes, VariantChanges } from './variants.schema';

/** Steps of changing variants, inside the transaction of whoever changes the product; they expect it locked. */

type Measures = Pick<
  VariantAttributes,
  'sku' | 'weight' | 'height' | 'width' | 'depth' | 'cost_price' | 'cost_currency'
>;

/** A new product's master, with its price and its stock items. @throws InvalidResource for a taken sku */
export async function addMaster(
  tx: Tx,
  productId: number,
  attributes: Measures & { price: string },
): Promise<void> {
  const columns = { ...measuresOf(attributes), position: 1 };
  const id = await insertVariant(tx, { product_id: productId, is_master: true }, columns);
  await setPrice(tx, id, attributes.price);
  await createStockItemsOfVariant(tx, id);
}

/** What a change of the product changes of its master; variants keep their prices. */
export async function changeMaster(
  tx: Tx,
  productId: number,
  changes: Measures & { price?: string | undefined },
): Promise<void> {
  const { id } = await getMaster(tx, productId);
  await updateVariantColumns(tx, id, measuresOf(changes));
  if (changes.price !== undefined) await setPrice(tx, id, changes.price);
}

/**
 * Adds a variant: priced as its master unless told, with its options, and a stock item in every location that
 * propagates; the master's stock drops to 0. @returns the new id
 * @throws InvalidResource
 */
export async function addVariant(tx: Tx, productId: number, attributes: VariantAttributes): Promise<number> {
  await requireTaxCategory(tx, attributes.tax_category_id);
  const id = await insertVariant(tx, { product_id: productId, is_master: false }, columnsOf(attributes));
  if (attributes.price != null) await setPrice(tx, id, attributes.price);
  else if (!(await copyMasterPrices(tx, productId, id))) {
    throw new InvalidResource({ price: ["can't be blank"] });
  }
  await applyOptions(tx, { id, product_id: productId }, attributes);
  await createStockItemsOfVariant(tx, id);
  await emptyMasterStock(tx, productId, id);
  return id;
}

/** @throws InvalidResource */
export async function changeVariant(
  tx: Tx,
  variant: { id: number; product_id: number },
  changes: VariantChanges | NestedVariant,
): Promise<void> {
  await requireTaxCategory(tx, changes.tax_category_id);
  await updateVariantColumns(tx, variant.id, columnsOf(changes));
  if (changes.price != null) await setPrice(tx, variant.id, changes.price);
  await applyOptions(tx, variant, changes);
}

/** Sets the price in the store's currency, in whole units of that. @throws InvalidResource */
async function setPrice(tx: Tx, variantId: number, price: string): Promise<void> {
  const currency = await findStoreCurrency(tx);
  const amount = roundMoney(price, currency);
  if (compareDecimals(amount, LARGEST_PRICE) > 0) {
    throw new InvalidResource({ price: [`must be less than or equal to ${LARGEST_PRICE}`] });
  }
  await putPrice(tx, variantId, { currency, amount });
}

/** Deletes a variant with its stock items; the row stays. @throws NotFound, InvalidResource for a master */
export async function deleteVariant(tx: Tx, productId: number, id: number, now: Date): Promise<void> {
  const variant = await findLiveVariant(tx, productId, id);
  if (variant === undefined) throw new NotFound();
  if (variant.is_master) throw new InvalidResource({ base: ['The master variant cannot be deleted'] });
  await markVariantsDeleted(tx, [id], now);
  await deleteStockItemsOfVariants(tx, [id], now);
}

/** What deleting a product does to its variants, the master too: they go with their prices and stock items. */
export async function deleteVariantsOfProduct(tx: Tx, productId: number, now: Date): Promise<void> {
  const ids = await findLiveVariantIds(tx, productId);
  await markVariantsDeleted(tx, ids, now);
  await markPricesDeleted(tx, ids, now);
  await deleteStockItemsOfVariants(tx, ids, now);
}

function measuresOf(attributes: Measures): Partial<VariantColumns> {
  const { sku, weight, height, width, depth, cost_price, cost_currency } = attributes;
  return defined({
    sku: sku === null ? '' : sku,
    weight: weight === null ? '0' : weight,
    height,
    width,
    depth,
    cost_price,
    cost_currency,
  });
}

function columnsOf(attributes: VariantAttributes | VariantChanges): Partial<VariantColumns> {
  const { position, track_inventory, tax_category_id } = attributes;
  return {
    ...measuresOf(attributes),
    ...(position != null && { position }),
    ...(track_inventory != null && { track_inventory }),
    ...defined({ tax_category_id }),
  };
}

/**
 * `option_value_ids` replaces the variant's values, `options` sets the value of each type it names; types the product
 * lacks are added to it. A variant has at most one value of a type.
 */
async function applyOptions(
  tx: Tx,
  variant: { id: number; product_id: number },
  { option_value_ids: ids, options }: Pick<VariantAttributes, 'option_value_ids' | 'options'>,
): Promise<void> {
  if (ids === undefined && (options === undefined || options.length === 0)) return;
  const base =
    ids === undefined ? await findOptionLinksOfVariant(tx, variant.id) : await linksOf(tx, ids ?? []);
  const named = await namedLinks(tx, options ?? []);
  const namedTypes = new Set(named.map((link) => link.option_type_id));
  const links = [...base.filter((link) => !namedTypes.has(link.option_type_id)), ...named];
  const typeIds = links.flatMap((link) => link.option_type_id ?? []);
  if (typeIds.length < links.length || new Set(typeIds).size < typeIds.length) {
    throw new InvalidResource({ option_values: ['is invalid'] });
  }
  await replaceOptionValues(
    tx,
    variant.id,
    links.map((link) => link.id),
  );
  await addOptionTypesToProduct(tx, variant.product_id, typeIds);
}

async function linksOf(tx: Tx, ids: readonly number[]): Promise<OptionLink[]> {
  const links = await findOptionLinks(tx, ids);
  if (links.length < ids.length) throw new InvalidResource({ option_value_ids: ['is invalid'] });
  return links;
}

async function namedLinks(
  tx: Tx,
  options: readonly { name: string; value: string }[],
): Promise<OptionLink[]> {
  const types = await findOrCreateOptionTypes(
    tx,
    options.map((option) => option.name),
  );
  const links: OptionLink[] = [];
  for (const { name, value } of options) {
    const typeId = types.get(name);
    if (typeId === undefined) throw new Conflict(`option type ${name} is being deleted`);
    links.push(await findOrCreateOptionValue(tx, typeId, value));
  }
  return links;
}
