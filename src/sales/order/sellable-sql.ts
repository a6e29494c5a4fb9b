import { buildListView, type ViewContext } from '../../catalog/product-queries/product-view';
import { buildVisibilitySql, type VisibilitySql } from '../../catalog/product-queries/visible-products';

/**
 * Builds the condition that the actor may add a variant to an order: it is not deleted, and the actor can see its
 * product. The text depends only on whether the actor is an admin. Reads the tables `variants` and `products`.
 */
export function buildSellableSql(ctx: ViewContext): VisibilitySql {
  const { sql, bindings } = buildVisibilitySql(buildListView(ctx, { discontinued: true }));
  return { sql: `variants.deleted_at IS NULL AND ${sql}`, bindings };
}
