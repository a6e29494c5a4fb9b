import type { Ctx } from '../../access/context';
import { INVALID, InvalidResource, requireFound } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { getVisibleProduct, lockProduct } from '../product-queries/product-lookup';
import { getProductSnapshots } from '../product-queries/product-snapshots';
import type { ProductSnapshot } from '../product-queries/product-snapshots.repository';
import { buildListView } from '../product-queries/product-view';
import {
  deleteRelationRow,
  findRelatedPage,
  findRelation,
  findRelationPage,
  findRelations,
  insertRelation,
  lockRelated,
  updateRelationRow,
  type RelationRow,
} from './product-relations.repository';
import type { RelationAttributes, RelationChanges } from './product-relations.schema';

/** The relation of a path: the permalink or id of its product, and its id. */
export interface RelationTarget {
  product_id: string;
  id: number;
}

/** Returns one page of the relations of a product. @throws NotFound */
export async function listRelations(
  ctx: Ctx,
  permalink: string,
  list: ListQuery,
): Promise<Page<RelationRow>> {
  const product = await getVisibleProduct(ctx, permalink);
  const page = await findRelationPage(ctx.db, product.id, list);
  return { ...page, rows: await findRelations(ctx.db, page.rows) };
}

/**
 * Returns one page of the products that the actor may see among those related to a product.
 * @param kind only relations of this kind; null for all. @throws NotFound if the actor may not see the product
 */
export async function listRelatedProducts(
  ctx: Ctx,
  permalink: string,
  { kind, list }: { kind: string | null; list: ListQuery },
): Promise<Page<ProductSnapshot>> {
  const product = await getVisibleProduct(ctx, permalink);
  const page = await findRelatedPage(ctx.db, product.id, { kind, list, view: buildListView(ctx) });
  return { ...page, rows: await getProductSnapshots(ctx, page.rows) };
}

/** Returns a relation of a product. @throws NotFound */
export async function getRelation(ctx: Ctx, target: RelationTarget): Promise<RelationRow> {
  const product = await getVisibleProduct(ctx, target.product_id);
  return getRow(ctx.db, product.id, target.id);
}

async function getRow(db: Db, productId: number, id: number): Promise<RelationRow> {
  return requireFound(await findRelation(db, productId, id));
}

/** Relates a product to another one. Locks the product. @throws NotFound, InvalidResource */
export async function createRelation(
  ctx: Ctx,
  permalink: string,
  { related_id, kind, position = null }: RelationAttributes,
): Promise<RelationRow> {
  const { id: product_id } = await getVisibleProduct(ctx, permalink);
  return withTransaction(ctx, async (tx) => {
    await lockProduct(tx, product_id);
    await requireRelated(tx, product_id, related_id);
    return insertRelation(tx, { product_id, related_id, kind, position });
  });
}

/** Updates a relation. Locks its product. @throws NotFound, InvalidResource */
export async function updateRelation(
  ctx: Ctx,
  target: RelationTarget,
  { related_id, kind, position }: RelationChanges,
): Promise<RelationRow> {
  const { id: productId } = await getVisibleProduct(ctx, target.product_id);
  return withTransaction(ctx, async (tx) => {
    await lockProduct(tx, productId);
    const { id } = await getRow(tx, productId, target.id);
    if (related_id !== undefined) await requireRelated(tx, productId, related_id);
    await updateRelationRow(tx, id, {
      ...(related_id !== undefined && { related_id }),
      ...(kind !== undefined && { kind }),
      ...(position != null && { position }),
    });
    return getRow(tx, productId, id);
  });
}

/** Deletes a relation; both products remain. @throws NotFound */
export async function deleteRelation(ctx: Ctx, target: RelationTarget): Promise<void> {
  const { id: productId } = await getVisibleProduct(ctx, target.product_id);
  await withTransaction(ctx, async (tx) => {
    await lockProduct(tx, productId);
    await deleteRelationRow(tx, (await getRow(tx, productId, target.id)).id);
  });
}

/** @throws InvalidResource for the product itself, and for one that does not exist or is deleted */
async function requireRelated(tx: Tx, productId: number, relatedId: number): Promise<void> {
  const isOther = relatedId !== productId && (await lockRelated(tx, relatedId));
  if (!isOther) throw new InvalidResource({ related_id: [INVALID] });
}
