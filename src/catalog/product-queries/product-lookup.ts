import type { Ctx } from '../../access/context';
import { requireFound } from '../../platform/errors';
import { withTransaction, type Tx } from '../../platform/database/transaction';
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

/**
 * Runs a change of a product or its nested records in a transaction that locks the product against others.
 * @throws NotFound if it does not exist or is deleted
 */
export async function withLockedProduct<T>(
  ctx: Ctx,
  id: number,
  work: (tx: Tx, product: ProductRow) => Promise<T>,
): Promise<T> {
  return withTransaction(ctx, async (tx) => work(tx, requireFound(await lockProductRow(tx, id))));
}
