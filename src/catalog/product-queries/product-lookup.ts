import type { Ctx } from '../../access/context';
import { NotFound } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { buildSingleView, type IncludeFlags } from './product-view';
import type { ProductRow } from './products.definition';
import { findVisibleProduct, lockProductRow } from './products.repository';

/**
 * Returns the product with this permalink, former permalink or id.
 * @throws NotFound also if the actor may not see it: deleted, discontinued or not yet available
 */
export async function getVisibleProduct(
  ctx: Ctx,
  permalink: string,
  include: IncludeFlags = {},
): Promise<ProductRow> {
  const product = await findVisibleProduct(ctx.db, buildSingleView(ctx, include), permalink);
  if (product === undefined) throw new NotFound();
  return product;
}

/** Locks a product against changes of it and its nested records. @throws NotFound also if it is deleted */
export async function lockProduct(tx: Tx, id: number): Promise<ProductRow> {
  const product = await lockProductRow(tx, id);
  if (product === undefined) throw new NotFound();
  return product;
}
