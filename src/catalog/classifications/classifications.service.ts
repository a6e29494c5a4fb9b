import type { Ctx } from '../../access/context';
import { INVALID, InvalidResource, NotFound } from '../../platform/errors';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { lockProduct } from '../products/product-lookup';
import { buildListView } from '../products/product-view';
import { lockTaxons } from '../taxons/taxons.repository';
import { findChangedPositions, moveTo } from './classification-order';
import {
  appendClassifications,
  findClassificationsOfProducts,
  findClassificationsOfTaxon,
  removeClassifications,
  updatePositions,
} from './classifications.repository';

/**
 * Moves a product within a taxon: `position` counts from 0 among the products an admin sees there, and is clamped to
 * the ends. Locks the product and the taxon; safe to repeat.
 * @throws NotFound when the product is not classified there, or deleted
 */
export async function moveClassification(
  ctx: Ctx,
  move: { product_id: number; taxon_id: number; position: number },
): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    await lockProduct(tx, move.product_id);
    await lockTaxons(tx, [move.taxon_id]);
    const order = await findClassificationsOfTaxon(tx, move.taxon_id, buildListView(ctx));
    const moved = order.find((one) => one.product_id === move.product_id);
    if (moved === undefined) throw new NotFound();
    await updatePositions(tx, findChangedPositions(moveTo(order, moved, move.position)));
  });
}

/**
 * Classifies the product under exactly these taxons, inside the product's own transaction: the ones it has keep
 * their position, new ones are appended. Locks the taxons concerned. Safe to repeat.
 * @throws InvalidResource when a taxon does not exist
 */
export async function replaceTaxonsOfProduct(
  tx: Tx,
  productId: number,
  taxonIds: readonly number[],
): Promise<void> {
  const before = (await findClassificationsOfProducts(tx, [productId])).map((row) => row.taxon_id);
  const removed = before.filter((id) => !taxonIds.includes(id));
  const added = taxonIds.filter((id) => !before.includes(id));
  const locked = new Set(await lockTaxons(tx, [...removed, ...added]));
  if (!added.every((id) => locked.has(id))) throw new InvalidResource({ taxon_ids: [INVALID] });
  await removeClassifications(tx, productId, removed);
  await appendClassifications(tx, productId, added);
}
