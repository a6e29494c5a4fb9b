import type { Ctx } from '../../access/context';
import { NotFound } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { buildSingleView, type IncludeFlags } from './product-view';
import type { ProductRow } from './products.definition';
import { findVisibleProduct, lockProductRow } from './products.repository';

/**
 * The product a path names by permalink (present or former) or id, as the caller may see it.
 * @throws NotFound also for what exists but is deleted, discontinued or not yet on sale to this caller
 */
export async function getVisibleProduct(
  ctx: Ctx,
  permalink: string,
  too: IncludeFlags = {},
): Promise<ProductRow> {
  const product = await findVisibleProduct(ctx.db, buildSingleView(ctx, too), permalink);
  if (product === undefined) throw new NotFound();
  return product;
}

/** The product as it is once nobody else changes it or what belongs to it. @throws NotFound when it is deleted by then */
export async function lockProduct(tx: Tx, id: number): Promise<ProductRow> {
  const product = await lockProductRow(tx, id);
  if (product === undefined) throw new NotFound();
  return product;
}
