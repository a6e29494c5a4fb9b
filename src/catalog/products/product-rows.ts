import { randomUUID } from 'node:crypto';
import { buildFailure, type RowOutcome } from '../../platform/batch';
import { Restart, type Tx } from '../../platform/database/transaction';
import { BLANK } from '../../platform/errors';
import { groupBy } from '../../platform/group-by';
import { toSlug } from '../../platform/slug';
import { appendClassifications, deleteClassifications } from '../classifications/classifications.repository';
import type { VariantStock } from '../context';
import { lockProductRows, productRecords } from '../product-queries/products.repository';
import { findOrCreateShippingCategory } from '../shipping-categories/shipping-categories.repository';
import { lockTaxons } from '../taxon-tree/taxons.repository';
import { findNamedVariants } from '../variants/named-variants.repository';
import {
  addOptionTypesToProducts,
  findOrCreateOptionTypes,
  findOrCreateOptionValues,
  replaceOptionValues,
} from '../variants/options.repository';
import { insertVariants, upsertPrices, variantRecords } from '../variants/variants.repository';
import type { PlannedProduct, PlannedRow, PlannedVariant, ProductGroup } from './planned-rows';
import type { ProductRow } from './product-cells.schema';
import { buildProductKey, findNamedSlug } from './product-key';
import { planProduct, type PlanSources } from './product-rows.plan';
import {
  findProductIdsBySlug,
  findTaxonIds,
  getDefaultShippingCategory,
  insertProducts,
  loadProductRecords,
  lockTaxCategoryIds,
} from './product-rows.repository';

/**
 * Creates and updates products with their variants, options and taxons, in a constant number of statements. All rows of
 * one product must be in one call. New variants are not backorderable unless their row says so. Rows with errors change
 * nothing; the others apply. Locks the products by id, then the taxons.
 * @returns the outcome of each row, with the id of its variant
 */
export async function applyProductRows(
  tx: Tx,
  rows: readonly ProductRow[],
  { stock, now }: { stock: VariantStock; now: Date },
): Promise<RowOutcome[]> {
  const { groups, unknown } = await groupByProduct(tx, rows);
  const sources = await loadSources(tx, { groups, rows, now });
  const planned = new Map<ProductRow, PlannedRow>();
  const products: PlannedProduct[] = [];
  for (const group of groups) {
    const plan = planProduct(group, sources);
    if (plan.product !== null) products.push(plan.product);
    group.rows.forEach((row, at) => {
      const result = plan.rows[at];
      if (result !== undefined) planned.set(row, result);
    });
  }
  await write(tx, products, stock);
  return rows.map((row) => {
    const plan = planned.get(row);
    if (plan === undefined || unknown.has(row)) return buildFailure({ slug: [BLANK] });
    if ('errors' in plan) return buildFailure(plan.errors);
    return { status: plan.isChanged ? 'changed' : 'unchanged', id: requireId(plan.variant) };
  });
}

/** Groups the rows by product, and locks and loads the products that exist. */
async function groupByProduct(
  tx: Tx,
  rows: readonly ProductRow[],
): Promise<{ groups: ProductGroup[]; unknown: Set<ProductRow> }> {
  const bySlug = await findProductIdsBySlug(
    tx,
    rows.flatMap((row) => [row.slug ?? '', findNamedSlug(row) ?? '']),
  );
  const findVariant = await findNamedVariants(tx, rows);
  const findOwner = (row: ProductRow): number | undefined =>
    row.slug == null || row.slug === '' ? findVariant({ sku: row.sku })?.product_id : undefined;
  const namesakes = findNamesakes(rows, findOwner);
  const grouped = new Map<string, { id: number | null; slug: string; rows: ProductRow[] }>();
  const unknown = new Set<ProductRow>();
  for (const row of rows) {
    const named = findNamedSlug(row);
    const productKey = buildProductKey(row);
    const id =
      findOwner(row) ??
      bySlug.get(row.slug ?? '') ??
      (named === null ? namesakes.get(productKey) : bySlug.get(named)) ??
      null;
    if (id === null && named === null && (row.name ?? '') === '') {
      unknown.add(row);
      continue;
    }
    const key = id === null ? productKey : String(id) + '#';
    const group = grouped.get(key) ?? { id, slug: named ?? `product-${toSlug(randomUUID())}`, rows: [] };
    group.rows.push(row);
    grouped.set(key, group);
  }
  const ids = [...grouped.values()].flatMap(({ id }) => id ?? []);
  const locked = await lockProductRows(tx, ids);
  if (!ids.every((id) => locked.has(id))) throw new Restart('a product was deleted');
  const records = await loadProductRecords(tx, ids);
  const groups = [...grouped.values()].map(({ id, slug, rows: own }) => ({
    slug,
    rows: own,
    records: records.filter((record) => record.product_id === id),
  }));
  return { groups, unknown };
}

/**
 * Finds the products of rows whose names have no slugs by other rows with an equal name, whose SKUs are known. Products with
 * equal names are left out.
 */
function findNamesakes(
  rows: readonly ProductRow[],
  findOwner: (row: ProductRow) => number | undefined,
): Map<string, number> {
  const owners = groupBy(rows, buildProductKey);
  return new Map(
    [...owners].flatMap(([key, own]) => {
      const [id, ...others] = new Set(own.flatMap((row) => findOwner(row) ?? []));
      return key === '' || id === undefined || others.length > 0 ? [] : [[key, id] as const];
    }),
  );
}

async function loadSources(
  tx: Tx,
  { groups, rows, now }: { groups: readonly ProductGroup[]; rows: readonly ProductRow[]; now: Date },
): Promise<PlanSources> {
  const permalinks = [
    ...rows.flatMap(({ taxons = [] }) => taxons),
    ...groups.flatMap(({ records }) => records[0]?.taxons ?? []),
  ];
  // Read after the products are locked, because their variants may have changed.
  const findVariant = await findNamedVariants(tx, rows);
  const skuOwners = new Map(
    rows.flatMap(({ sku }) => {
      const owner = findVariant({ sku });
      return owner === undefined ? [] : [[owner.sku, owner.id] as const];
    }),
  );
  return {
    now,
    skuOwners,
    defaultShippingCategory: await getDefaultShippingCategory(tx),
    taxCategoryIds: await lockTaxCategoryIds(
      tx,
      rows.flatMap(({ tax_category }) => tax_category ?? []),
    ),
    taxonIds: await findTaxonIds(tx, permalinks),
  };
}

async function write(tx: Tx, products: readonly PlannedProduct[], stock: VariantStock): Promise<void> {
  await writeProducts(tx, products);
  const created = products.flatMap((product) =>
    product.variants.filter(({ id }) => id === null).map((variant) => ({ product, variant })),
  );
  const changed = products.flatMap(({ variants }) => variants.filter(({ id }) => id !== null));
  await variantRecords.updateEach(tx, changed.map((one) => ({ id: requireId(one), columns: one.columns }))); // prettier-ignore
  const ids = await insertVariants(
    tx,
    created.map(({ product, variant: { is_master, position, columns } }) => ({
      ...columns,
      product_id: requireId(product),
      is_master,
      position,
    })),
  );
  created.forEach(({ variant }, at) => (variant.id = ids[at] ?? null));
  const variants = products.flatMap((product) => product.variants);
  await upsertPrices(
    tx,
    variants.flatMap((one) =>
      one.price === undefined ? [] : [{ variant_id: requireId(one), amount: one.price }],
    ),
  );
  await writeOptions(tx, products);
  await writeTaxons(tx, products);
  for (const backorderable of [false, true]) {
    const alike = created.filter(({ variant }) => variant.backorderable === backorderable);
    await stock.create(tx, alike.map(({ variant }) => requireId(variant)), backorderable); // prettier-ignore
  }
  for (const product of products.filter((one) => one.gainsVariants)) {
    const first = created.find((one) => one.product === product);
    if (first === undefined) continue;
    await stock.emptyMaster(tx, { product_id: requireId(product), new_variant_id: requireId(first.variant) });
  }
}

async function writeProducts(tx: Tx, products: readonly PlannedProduct[]): Promise<void> {
  const names = new Set(products.flatMap(({ columns }) => columns.shipping_category ?? []));
  const categories = new Map<string, number>();
  for (const name of [...names].sort()) categories.set(name, await findOrCreateShippingCategory(tx, name));
  const columnsOf = ({ columns: { shipping_category, ...columns } }: PlannedProduct) => ({
    ...columns,
    ...(shipping_category !== undefined && { shipping_category_id: categories.get(shipping_category) ?? 0 }),
  });
  await productRecords.updateEach(
    tx,
    products.flatMap((one) => (one.id === null ? [] : [{ id: one.id, columns: columnsOf(one) }])),
  );
  const created = products.filter(({ id }) => id === null);
  const ids = await insertProducts(
    tx,
    created.map((product) => ({ ...columnsOf(product), slug: product.slug })),
  );
  for (const product of created) {
    const id = ids.get(product.slug);
    if (id === undefined) throw new Restart('another transaction created the product');
    product.id = id;
  }
}

async function writeOptions(tx: Tx, products: readonly PlannedProduct[]): Promise<void> {
  const changed = products.flatMap((product) =>
    product.variants.flatMap((variant) =>
      variant.options === undefined ? [] : [{ product, variant, options: variant.options }],
    ),
  );
  if (changed.length === 0) return;
  const named = changed.flatMap(({ options }) => options);
  const typeIdOf = await findOrCreateOptionTypes(tx, named.map(({ type }) => type)); // prettier-ignore
  const toValue = ({ type, value }: { type: string; value: string }) => ({
    option_type_id: typeIdOf(type),
    name: value,
  });
  const findValue = await findOrCreateOptionValues(tx, named.map(toValue));
  await replaceOptionValues(
    tx,
    changed.map(({ variant, options }) => ({
      id: requireId(variant),
      value_ids: options.map((one) => findValue(toValue(one)).id),
    })),
  );
  const links = changed.flatMap(({ product, options }) =>
    options.map(({ type }) => ({ product_id: requireId(product), type_id: typeIdOf(type) })),
  );
  const distinct = new Map(links.map((link) => [`${link.product_id} ${link.type_id}`, link]));
  await addOptionTypesToProducts(tx, [...distinct.values()]);
}

async function writeTaxons(tx: Tx, products: readonly PlannedProduct[]): Promise<void> {
  const affected = products.flatMap(({ taxons }) => [...taxons.added, ...taxons.removed]);
  const locked = new Set(await lockTaxons(tx, [...new Set(affected)]));
  if (!affected.every((id) => locked.has(id))) throw new Restart('a taxon was deleted');
  for (const product of products) await deleteClassifications(tx, requireId(product), product.taxons.removed);
  await appendClassifications(
    tx,
    products.flatMap((product) =>
      product.taxons.added.map((taxon_id) => ({ product_id: requireId(product), taxon_id })),
    ),
  );
}

function requireId({ id }: Pick<PlannedProduct | PlannedVariant, 'id'>): number {
  if (id === null) throw new Error('the record was not inserted');
  return id;
}
