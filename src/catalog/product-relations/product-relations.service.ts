import type { Ctx } from '../../access/context';
import { INVALID, InvalidResource } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import type { AttributesOf, ChangesOf } from '../../platform/resource/definition';
import { getVisibleProduct, withLockedProduct } from '../product-queries/product-lookup';
import { getProductSnapshots } from '../product-queries/product-snapshots';
import type { ProductSnapshot } from '../product-queries/product-snapshots.repository';
import { buildListView } from '../product-queries/product-view';
import { Relation, type RelationRow } from './product-relations.definition';
import { findRelatedPage, lockRelated, relationRecords as rows } from './product-relations.repository';

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
  return rows.findPage(ctx.db, list, { product_id: product.id });
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
  return rows.get(ctx.db, target.id, { product_id: product.id });
}

/** Relates a product to another one. Locks the product. @throws NotFound, InvalidResource */
export async function createRelation(
  ctx: Ctx,
  permalink: string,
  attributes: AttributesOf<typeof Relation>,
): Promise<RelationRow> {
  const { id: product_id } = await getVisibleProduct(ctx, permalink);
  return withLockedProduct(ctx, product_id, async (tx) => {
    await requireRelated(tx, product_id, attributes.related_id);
    return rows.get(tx, await rows.append(tx, Relation.newValues(attributes), { product_id }));
  });
}

/** Updates a relation. Locks its product. @throws NotFound, InvalidResource */
export async function updateRelation(
  ctx: Ctx,
  target: RelationTarget,
  changes: ChangesOf<typeof Relation>,
): Promise<RelationRow> {
  const { id: product_id } = await getVisibleProduct(ctx, target.product_id);
  return withLockedProduct(ctx, product_id, async (tx) => {
    const { id } = await rows.get(tx, target.id, { product_id });
    if (changes.related_id !== undefined) await requireRelated(tx, product_id, changes.related_id);
    await rows.update(tx, id, Relation.changedValues(changes));
    return rows.get(tx, id);
  });
}

/** Deletes a relation; both products remain. @throws NotFound */
export async function deleteRelation(ctx: Ctx, target: RelationTarget): Promise<void> {
  const { id: product_id } = await getVisibleProduct(ctx, target.product_id);
  await withLockedProduct(ctx, product_id, async (tx) => {
    await rows.delete(tx, (await rows.get(tx, target.id, { product_id })).id, ctx.now());
  });
}

/** @throws InvalidResource for the product itself, and for one that does not exist or is deleted */
async function requireRelated(tx: Tx, productId: number, relatedId: number): Promise<void> {
  const isOther = relatedId !== productId && (await lockRelated(tx, relatedId));
  if (!isOther) throw new InvalidResource({ related_id: [INVALID] });
}
