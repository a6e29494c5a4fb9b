import { randomUUID } from 'node:crypto';
import type { Ctx } from '../../access/context';
import { BLANK, InvalidResource, NotFound, TAKEN } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { toSlug } from '../../platform/slug';
import { loadProductGraphs, type ProductGraph } from '../product-graph';
import { findOrCreateShippingCategory } from '../shipping-categories/shipping-categories.repository';
import { requireTaxCategory } from '../tax-categories/tax-categories.service';
import { addMaster, changeMaster, deleteVariantsOfProduct } from '../variants/variant-changes';
import { getMaster } from '../variants/variants.repository';
import { getVisibleProduct, lockProduct } from './product-lookup';
import { applyParts } from './product-parts';
import { buildDeletedSlug, buildSlugCandidates } from './product-slug';
import { buildListView, type IncludeFlags } from './product-view';
import { Product, type ProductRow } from './products.definition';
import {
  changeSlug,
  findProductPage,
  findProductPageOfTaxon,
  findTakenSlugs,
  insertProduct,
  markProductDeleted,
  updateProductColumns,
} from './products.repository';
import type { ProductAttributes, ProductChanges } from './products.schema';

/** The products the caller may see; a constant number of queries, whatever the length of the page. */
export async function listProducts(ctx: Ctx, list: ListQuery, too: IncludeFlags): Promise<Page<ProductGraph>> {
  const page = await findProductPage(ctx.db, list, buildListView(ctx, too));
  return { ...page, rows: await loadProductGraphs(ctx.db, page.rows) };
}

/** Those of them classified under exactly this taxon, in classification order; none when there is no such taxon. */
export async function listProductsOfTaxon(
  ctx: Ctx,
  list: ListQuery,
  taxonId: number,
): Promise<Page<ProductGraph>> {
  const page = await findProductPageOfTaxon(ctx.db, list, buildListView(ctx), taxonId);
  return { ...page, rows: await loadProductGraphs(ctx.db, page.rows) };
}

/** @throws NotFound */
export async function getProduct(ctx: Ctx, permalink: string, too: IncludeFlags): Promise<ProductGraph> {
  return loadGraph(ctx.db, (await getVisibleProduct(ctx, permalink, too)).id);
}

/**
 * Makes a product with its master and everything its body carries, all or nothing. On sale from now unless told; its
 * slug comes from its name unless given.
 * @throws InvalidResource
 */
export async function createProduct(ctx: Ctx, attributes: ProductAttributes): Promise<ProductGraph> {
  return withTransaction(ctx, async (tx) => {
    const { available_on = ctx.now() } = attributes;
    const shipping_category_id = await applyCategories(tx, attributes);
    if (shipping_category_id === undefined) throw new InvalidResource({ shipping_category_id: [BLANK] });
    const columns = Product.newValues({ ...attributes, available_on, shipping_category_id });
    const wish = readRequestedSlug(attributes);
    const slugs = wish == null ? buildSlugs(attributes.name, attributes.sku) : [wish];
    const id = await insertProduct(tx, columns, slugs);
    if (id === null) throw new InvalidResource({ slug: [TAKEN] });
    await addMaster(tx, id, attributes);
    await applyParts(tx, id, attributes);
    return loadGraph(tx, id);
  });
}

/**
 * Changes what the body names, all or nothing; a new price leaves the variants' prices, a new name the slug.
 * Locks the product.
 * @throws NotFound, InvalidResource
 */
export async function changeProduct(
  ctx: Ctx,
  permalink: string,
  changes: ProductChanges,
): Promise<ProductGraph> {
  const { id } = await getVisibleProduct(ctx, permalink);
  return withTransaction(ctx, async (tx) => {
    const product = await lockProduct(tx, id);
    const shipping_category_id = await applyCategories(tx, changes);
    await updateProductColumns(tx, id, Product.changedValues({ ...changes, shipping_category_id }));
    await changeMaster(tx, id, changes);
    await applySlug(tx, product, changes);
    await applyParts(tx, id, changes);
    return loadGraph(tx, id);
  });
}

/**
 * Deletes a product softly, with its variants, their prices and stock items; the records stay, slug and skus are free
 * again. @throws NotFound also when it is deleted already
 */
export async function removeProduct(ctx: Ctx, permalink: string): Promise<void> {
  const { id } = await getVisibleProduct(ctx, permalink);
  await withTransaction(ctx, async (tx) => {
    const product = await lockProduct(tx, id);
    const now = ctx.now();
    await markProductDeleted(tx, id, buildDeletedSlug(product.slug, now), now);
    await deleteVariantsOfProduct(tx, id, now);
  });
}

async function loadGraph(db: Db, id: number): Promise<ProductGraph> {
  const [graph] = await loadProductGraphs(db, [id]);
  if (graph === undefined) throw new NotFound();
  return graph;
}

/**
 * Holds the tax category, and creates the shipping category when it is named and missing.
 * @returns the id of the shipping category; undefined when there is none in the body. @throws InvalidResource
 */
async function applyCategories(
  tx: Tx,
  { tax_category_id, shipping_category, shipping_category_id }: ProductAttributes | ProductChanges,
): Promise<number | undefined> {
  await requireTaxCategory(tx, tax_category_id);
  const name = shipping_category?.trim();
  return name ? findOrCreateShippingCategory(tx, name) : (shipping_category_id ?? undefined);
}

/** Null when nothing usable is asked for; undefined when nothing is said of the slug at all. */
function readRequestedSlug({ slug, permalink }: ProductAttributes | ProductChanges): string | null | undefined {
  const wish = slug === undefined ? permalink : slug;
  return wish === undefined ? undefined : toSlug(wish ?? '') || null;
}

function buildSlugs(name: string, sku: string | null | undefined): string[] {
  return buildSlugCandidates({ name, sku: sku ?? '', random: randomUUID });
}

/** A slug that is asked for blank is made anew from the name. */
async function applySlug(tx: Tx, product: ProductRow, changes: ProductChanges): Promise<void> {
  const wish = readRequestedSlug(changes);
  if (wish === undefined) return;
  const slug = wish ?? (await chooseFreeSlug(tx, product.id, changes.name ?? product.name));
  if (slug !== product.slug) await changeSlug(tx, product, slug);
}

async function chooseFreeSlug(tx: Tx, productId: number, name: string): Promise<string> {
  const slugs = buildSlugs(name, (await getMaster(tx, productId)).sku);
  const taken = new Set(await findTakenSlugs(tx, slugs, productId));
  const free = slugs.find((slug) => !taken.has(slug));
  if (free === undefined) throw new InvalidResource({ slug: [TAKEN] });
  return free;
}
