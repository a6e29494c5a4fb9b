import { randomUUID } from 'node:crypto';
import { findUserId } from '../../access/actor';
import type { Ctx as BaseCtx } from '../../access/context';
import type { Ctx } from '../context';
import { BLANK, InvalidResource, TAKEN, requireFound } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { toSlug } from '../../platform/slug';
import { loadProductGraphs, type ProductGraph } from '../product-graph';
import { findOrCreateShippingCategory } from '../shipping-categories/shipping-categories.repository';
import { requireTaxCategory } from '../tax-categories/tax-categories.service';
import { addMaster, updateMaster, deleteVariantsOfProduct } from '../variants/variant-changes';
import { getMaster } from '../variants/variants.repository';
import { getVisibleProduct, withLockedProduct } from '../product-queries/product-lookup';
import { applyParts } from './product-parts';
import { buildDeletedSlug, buildSlugCandidates } from './product-slug';
import { findSnapshotByPermalink, getProductSnapshots } from '../product-queries/product-snapshots';
import type { ProductSnapshot } from '../product-queries/product-snapshots.repository';
import type { ProductFilters } from '../product-queries/product-filters';
import { splitSearch } from '../product-queries/search-words';
import { findSuggestions, type Suggestions } from '../product-queries/suggestions.repository';
import { buildListView, buildSingleView, type IncludeFlags } from '../product-queries/product-view';
import { Product, type ProductRow } from '../product-queries/products.definition';
import {
  updateSlug,
  findProductPage,
  findProductPageOfTaxon,
  findTakenSlugs,
  insertProduct,
  markProductDeleted,
  productRecords,
} from '../product-queries/products.repository';
import type { ProductAttributes, ProductChanges } from './products.schema';

/** What a list of products is requested by. */
export interface ProductList {
  list: ListQuery;
  filters: ProductFilters;
}

/** Returns one page of the products that the actor may see. Takes a constant number of queries. */
export async function listProducts(
  ctx: Ctx,
  { list, filters }: ProductList,
  include: IncludeFlags,
): Promise<Page<ProductSnapshot>> {
  const page = await findProductPage(ctx, list, buildListView(ctx, include), filters);
  return { ...page, rows: await getProductSnapshots(ctx, page.rows) };
}

/** Returns those classified under exactly this taxon, in the order of their positions; none for an unknown taxon. */
export async function listProductsOfTaxon(
  ctx: BaseCtx,
  { list, filters }: ProductList,
  taxonId: number,
): Promise<Page<ProductSnapshot>> {
  const page = await findProductPageOfTaxon(ctx.db, list, buildListView(ctx), { taxonId, filters });
  return { ...page, rows: await getProductSnapshots(ctx, page.rows) };
}

/** Returns the products and taxons that a shopper may mean who has typed this text. See `findSuggestions`. */
export async function listSuggestions(ctx: Ctx, text: string, limit: number): Promise<Suggestions> {
  return findSuggestions(ctx.db, splitSearch(text), { limit, now: ctx.now() });
}

/** Returns the snapshot of a product that the actor may see. At most one query. @throws NotFound */
export async function getProduct(
  ctx: Ctx,
  permalink: string,
  include: IncludeFlags,
): Promise<ProductSnapshot> {
  return requireFound(await findSnapshotByPermalink(ctx, buildSingleView(ctx, include), permalink));
}

/**
 * Creates a product with its master and the nested records in its body, in one transaction. `available_on` defaults to
 * now, the slug to one built from the name.
 * @throws InvalidResource
 */
export async function createProduct(ctx: Ctx, attributes: ProductAttributes): Promise<ProductGraph> {
  return withTransaction(ctx, async (tx) => {
    const { available_on = ctx.now() } = attributes;
    const shipping_category_id = await applyCategories(tx, attributes);
    if (shipping_category_id === undefined) throw new InvalidResource({ shipping_category_id: [BLANK] });
    const columns = Product.newValues({ ...attributes, available_on, shipping_category_id });
    const requestedSlug = readRequestedSlug(attributes);
    const slugs = requestedSlug == null ? buildSlugs(attributes.name, attributes.sku) : [requestedSlug];
    const id = await insertProduct(tx, { ...columns, price: attributes.price }, slugs);
    if (id === null) throw new InvalidResource({ slug: [TAKEN] });
    await addMaster(tx, buildStock(ctx), id, attributes);
    await applyParts(tx, buildStock(ctx), id, attributes);
    return loadGraph(tx, id);
  });
}

/**
 * Updates a product and the nested records in its body, in one transaction. A new price does not change the prices of
 * variants; a new name does not change the slug. Locks the product.
 * @throws NotFound, InvalidResource
 */
export async function updateProduct(
  ctx: Ctx,
  permalink: string,
  changes: ProductChanges,
): Promise<ProductGraph> {
  const { id } = await getVisibleProduct(ctx, permalink);
  return withLockedProduct(ctx, id, async (tx, product) => {
    const shipping_category_id = await applyCategories(tx, changes);
    await productRecords.update(tx, id, Product.changedValues({ ...changes, shipping_category_id }));
    await updateMaster(tx, id, changes);
    await applySlug(tx, product, changes);
    await applyParts(tx, buildStock(ctx), id, changes);
    return loadGraph(tx, id);
  });
}

/**
 * Marks a product as deleted, with its variants, their prices and stock items. Its slug and skus become free. Locks the
 * product.
 * @throws NotFound also if it is already deleted
 */
export async function deleteProduct(ctx: Ctx, permalink: string): Promise<void> {
  const { id } = await getVisibleProduct(ctx, permalink);
  await withLockedProduct(ctx, id, async (tx, product) => {
    const now = ctx.now();
    await markProductDeleted(tx, id, buildDeletedSlug(product.slug, now), now);
    await deleteVariantsOfProduct(tx, buildStock(ctx), id, now);
  });
}

const buildStock = (ctx: Ctx) => ctx.variantStock(findUserId(ctx.actor));

async function loadGraph(db: Db, id: number): Promise<ProductGraph> {
  return requireFound((await loadProductGraphs(db, [id]))[0]);
}

/**
 * Checks the tax category, and finds or creates the shipping category. Both are locked against deletion.
 * @returns the id of the shipping category; undefined if the body has none. @throws InvalidResource
 */
async function applyCategories(
  tx: Tx,
  { tax_category_id, shipping_category, shipping_category_id }: ProductAttributes | ProductChanges,
): Promise<number | undefined> {
  await requireTaxCategory(tx, tax_category_id);
  const name = shipping_category?.trim();
  return name ? findOrCreateShippingCategory(tx, name) : (shipping_category_id ?? undefined);
}

/** Returns the slug in the body; null if it is blank, undefined if it is absent. */
function readRequestedSlug({
  slug,
  permalink,
}: ProductAttributes | ProductChanges): string | null | undefined {
  const requested = slug === undefined ? permalink : slug;
  return requested === undefined ? undefined : toSlug(requested ?? '') || null;
}

function buildSlugs(name: string, sku: string | null | undefined): string[] {
  return buildSlugCandidates({ name, sku: sku ?? '', random: randomUUID });
}

/** Changes the slug if the body has one. A blank one is built again from the name. */
async function applySlug(tx: Tx, product: ProductRow, changes: ProductChanges): Promise<void> {
  const requestedSlug = readRequestedSlug(changes);
  if (requestedSlug === undefined) return;
  const slug = requestedSlug ?? (await chooseFreeSlug(tx, product.id, changes.name ?? product.name));
  if (slug !== product.slug) await updateSlug(tx, product, slug);
}

async function chooseFreeSlug(tx: Tx, productId: number, name: string): Promise<string> {
  const slugs = buildSlugs(name, (await getMaster(tx, productId)).sku);
  const taken = new Set(await findTakenSlugs(tx, slugs, productId));
  const free = slugs.find((slug) => !taken.has(slug));
  if (free === undefined) throw new InvalidResource({ slug: [TAKEN] });
  return free;
}
