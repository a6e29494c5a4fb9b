import type { Ctx } from '../../access/context';
import { requireFound } from '../../platform/errors';
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
  return requireFound(await findVisibleProduct(ctx.db, buildSingleView(ctx, include), permalink));
}

/** Locks a product against changes of it and its nested records. @throws NotFound also if it is deleted */
export async function lockProduct(tx: Tx, id: number): Promise<ProductRow> {
  return requireFound(await lockProductRow(tx, id));
}
