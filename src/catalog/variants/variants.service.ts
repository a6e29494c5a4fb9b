import { findUserId, isAdmin } from '../../access/actor';
import type { Ctx } from '../context';
import { BLANK, InvalidResource, requireFound } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { getVisibleProduct, withLockedProduct } from '../product-queries/product-lookup';
import { buildSingleView } from '../product-queries/product-view';
import { attachCommitted, loadVariantGraphsWithStock, type VariantGraphWithStock } from '../variant-graph';
import { addVariants, updateVariants, deleteVariantWithStock } from './variant-changes';
import type { VariantAttributes, VariantChanges, VariantRow } from './variants.definition';
import { findLiveVariant, findVariantPage, findVisibleVariant } from './variants.repository';

/**
 * The variants to search: those of one product by permalink, or all. `deleted` is ignored unless the actor is an admin.
 */
export interface VariantScope {
  product: string | undefined;
  deleted?: boolean | undefined;
}

/** The variant of a path, by id within a scope. */
export interface VariantPath extends VariantScope {
  id: number;
}

/** Returns one page of variants and masters, by position. @throws NotFound if the actor may not see the product */
export async function listVariants(
  ctx: Ctx,
  list: ListQuery,
  scope: VariantScope,
): Promise<Page<VariantGraphWithStock>> {
  const productId = await resolveProductId(ctx, scope);
  const page = await findVariantPage(ctx.db, list, buildSingleView(ctx, scope), productId);
  return { ...page, rows: await loadGraphs(ctx, ctx.db, page.rows) };
}

/** Returns a variant with its stock. @throws NotFound also if it belongs to another product */
export async function getVariant(ctx: Ctx, path: VariantPath): Promise<VariantGraphWithStock> {
  return loadGraph(ctx, ctx.db, [(await getVariantRow(ctx, path)).id]);
}

/**
 * Creates a variant of a product, and empties the stock of the master. Locks the product.
 * @throws NotFound, InvalidResource
 */
export async function createVariant(
  ctx: Ctx,
  permalink: string | undefined,
  attributes: VariantAttributes,
): Promise<VariantGraphWithStock> {
  if (permalink === undefined) throw new InvalidResource({ product: [BLANK] });
  const product = await getVisibleProduct(ctx, permalink);
  return withLockedProduct(ctx, product.id, async (tx) => {
    return loadGraph(ctx, tx, await addVariants(tx, buildStock(ctx), product.id, [attributes]));
  });
}

/** Updates a variant. Locks the product. @throws NotFound, InvalidResource */
export async function updateVariant(
  ctx: Ctx,
  path: VariantPath,
  changes: VariantChanges,
): Promise<VariantGraphWithStock> {
  const { product_id, id } = await getVariantRow(ctx, path);
  return withLockedProduct(ctx, product_id, async (tx) => {
    requireFound(await findLiveVariant(tx, product_id, id));
    await updateVariants(tx, product_id, [{ ...changes, id }]);
    return loadGraph(ctx, tx, [id]);
  });
}

/** Marks a variant and its stock as deleted. Locks the product. @throws NotFound, InvalidResource for a master */
export async function deleteVariant(ctx: Ctx, path: VariantPath): Promise<void> {
  const variant = await getVariantRow(ctx, path);
  await withLockedProduct(ctx, variant.product_id, async (tx) => {
    await deleteVariantWithStock(tx, buildStock(ctx), variant, ctx.now());
  });
}

const buildStock = (ctx: Ctx) => ctx.variantStock(findUserId(ctx.actor));

async function resolveProductId(ctx: Ctx, { product, deleted }: VariantScope): Promise<number | null> {
  return product === undefined ? null : (await getVisibleProduct(ctx, product, { deleted })).id;
}

async function getVariantRow(ctx: Ctx, path: VariantPath): Promise<VariantRow> {
  const productId = await resolveProductId(ctx, path);
  return requireFound(await findVisibleVariant(ctx.db, buildSingleView(ctx, path), path.id, productId));
}

/** Loads variants with their stock, for staff with the committed units. */
async function loadGraphs(ctx: Ctx, db: Db, ids: readonly number[]): Promise<VariantGraphWithStock[]> {
  const graphs = await loadVariantGraphsWithStock(db, ids);
  if (!isAdmin(ctx.actor)) return graphs;
  const items = graphs.flatMap(({ stock_items }) => stock_items);
  return attachCommitted(graphs, await buildStock(ctx).countCommitted(db, items));
}

async function loadGraph(ctx: Ctx, db: Db, ids: readonly number[]): Promise<VariantGraphWithStock> {
  return requireFound((await loadGraphs(ctx, db, ids))[0]);
}
