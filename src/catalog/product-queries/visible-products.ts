import type { Knex } from 'knex';
import { STORE_CURRENCY } from '../store-settings-sql';
import type { ProductView } from './product-view';

/** A condition on products, for raw statements. */
export interface VisibilitySql {
  sql: string;
  bindings: Date[];
}

/**
 * Builds the condition that a product is in view. Uses columns of products_visible_index only, so pages and counts need
 * no join.
 */
export function buildVisibilitySql(view: ProductView): VisibilitySql {
  const conditions: string[] = [];
  const bindings: Date[] = [];
  if (!view.deleted) conditions.push('products.deleted_at IS NULL');
  if (!view.admin) {
    conditions.push('products.available_on <= ?', `${STORE_CURRENCY} = ANY (products.priced_in)`);
    bindings.push(view.now);
  }
  if (!view.discontinued) {
    conditions.push('(products.discontinue_on IS NULL OR products.discontinue_on > ?)');
    bindings.push(view.now);
  }
  return { sql: conditions.length === 0 ? 'TRUE' : conditions.join(' AND '), bindings };
}

/** Adds the condition of `buildVisibilitySql` to a query that reads from products, and returns it. */
export function filterVisibleProducts<Q extends Knex.QueryBuilder>(query: Q, view: ProductView): Q {
  const { sql, bindings } = buildVisibilitySql(view);
  void query.whereRaw(sql, bindings);
  return query;
}
