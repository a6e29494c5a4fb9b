import { InvalidResource } from '../../errors';
import type { Tx } from '../../platform/database/transaction';
import {
  appendClassifications,
  findClassificationsOfProducts,
  lockTaxonsForClassification,
  removeClassifications,
} from './classifications.repository';

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
  const locked = new Set(await lockTaxonsForClassification(tx, [...removed, ...added]));
  if (!added.every((id) => locked.has(id))) throw new InvalidResource({ taxon_ids: ['is invalid'] });
  await removeClassifications(tx, productId, removed);
  await appendClassifications(tx, productId, added);
}
