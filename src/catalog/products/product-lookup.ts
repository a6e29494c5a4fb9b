import type { Ctx } from '../../context';
import { NotFound } from '../../errors';
import type { Db } from '../../platform/database/knex';
import { singleView, type ProductView, type ShownToo } from './product-view';
import { findVisibleProduct, type ProductRow } from './products.repository';

/**
 * The product a path names by permalink (present or former) or id, as the caller may see it.
 * @throws NotFound also for what exists but is deleted, discontinued or not yet on sale to this caller
 */
export async function getVisibleProduct(
  ctx: Ctx,
  permalink: string,
  too: ShownToo = {},
): Promise<ProductRow> {
  return mustFindProduct(ctx.db, singleView(ctx, too), permalink);
}

/** The same inside a transaction. @throws NotFound */
export async function mustFindProduct(db: Db, view: ProductView, permalink: string): Promise<ProductRow> {
  const product = await findVisibleProduct(db, view, permalink);
  if (product === undefined) throw new NotFound();
  return product;
}
