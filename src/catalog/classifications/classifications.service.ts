import type { Ctx } from '../../access/context';
import { INVALID, InvalidResource, requireFound } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { withLockedProduct } from '../product-queries/product-lookup';
import { buildListView } from '../product-queries/product-view';
import { lockTaxons } from '../taxon-tree/taxons.repository';
import { findChangedPositions, moveTo } from './classification-order';
import {
  appendClassifications,
  findClassificationsOfProducts,
  findClassificationsOfTaxon,
  deleteClassifications,
  updatePositions,
} from './classifications.repository';

/**
 * Moves a product within a taxon. `position` is 0-based among the products that an admin sees there, and clamped to the
 * ends. Locks the product and the taxon. Repeatable.
 * @throws NotFound if the product is not classified under the taxon, or is deleted
 */
export async function moveClassification(
  ctx: Ctx,
  move: { product_id: number; taxon_id: number; position: number },
): Promise<void> {
  await withLockedProduct(ctx, move.product_id, async (tx) => {
    await lockTaxons(tx, [move.taxon_id]);
    const order = await findClassificationsOfTaxon(tx, move.taxon_id, buildListView(ctx));
    const moved = requireFound(order.find((one) => one.product_id === move.product_id));
    await updatePositions(tx, findChangedPositions(moveTo(order, moved, move.position)));
  });
}

/**
 * Classifies the product under exactly these taxons, in the transaction that writes the product. Existing
 * classifications keep their position, new ones are appended. Locks the affected taxons. Repeatable.
 * @throws InvalidResource if a taxon does not exist
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
  await deleteClassifications(tx, productId, removed);
  await appendClassifications(
    tx,
    added.map((taxon_id) => ({ product_id: productId, taxon_id })),
  );
}
