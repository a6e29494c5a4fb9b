import type { Knex } from 'knex';
import type { Db } from '../../platform/database/knex';
import { applyFilters } from '../../platform/query-builder/apply-search';
import { findIdPage, findIdPageWith } from '../../platform/query-builder/id-page';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { buildPage, type Page } from '../../platform/query-builder/page';
import { buildConditionKey, chooseFirst, findKeptTotal, keepTotal } from './cached-counts';
import type { ProductView } from './product-view';
import { productSearch } from './products.search';
import { filterVisibleProducts } from './visible-products';
import { CATALOG_REVISION } from './revisions-sql';

/**
 * Returns the ids of one page of the products in view that `q[...]` matches, and the exact total. If many match, the
 * total is kept until the catalog changes, and a page by id is read from the first products. One or two queries, and one more
 * to keep a total.
 */
export async function findSearchedPage(db: Db, list: ListQuery, view: ProductView): Promise<Page<number>> {
  const search = (products: Knex.QueryBuilder) =>
    applyFilters(filterVisibleProducts(products, view), list, productSearch);
  const matching = search(db('products'));
  if (list.sorts.length > 0 || list.conditions.length === 0 || list.feed !== null)
    return findIdPage(db, matching, list, productSearch);
  const key = buildConditionKey(view, applyFilters(db('products'), list, productSearch).toSQL());
  const kept = findKeptTotal(key, view.now);
  const first = chooseFirst(list, kept);
  if (kept !== null && first !== null) {
    const { ids, revision } = await readFirst(db, search(selectFirst(db, first)), list);
    if (ids.length === list.per_page && revision === kept.revision) return buildPage(ids, kept.total, list);
  }
  const columns = { revision: db.raw(CATALOG_REVISION), read: db.raw(CATALOG_SIZE) };
  const found = await findIdPageWith<CatalogColumns>(db, matching, list, { search: productSearch, columns });
  const { page } = found;
  const counted = found.columns && { ...found.columns, total: page.total };
  if (counted !== undefined && chooseFirst({ page: 1, per_page: list.per_page }, counted) !== null)
    await keepTotal(db, key, counted, view.now);
  return page;
}

/** The number of products, as PostgreSQL estimates it; 0 if it has no statistics. */
const CATALOG_SIZE = `(SELECT CAST(greatest(reltuples, 0) AS integer) FROM pg_class
  WHERE oid = CAST('products' AS regclass))`;

/** The catalog that a page was read from. */
interface CatalogColumns {
  revision: string;
  read: number;
}

/** Reads from the first products by id. */
function selectFirst(db: Db, first: number): Knex.QueryBuilder {
  return db.from(db.raw('(SELECT * FROM products ORDER BY id LIMIT ?) AS products', [first]));
}

async function readFirst(
  db: Db,
  matching: Knex.QueryBuilder,
  { page, per_page }: ListQuery,
): Promise<{ ids: number[]; revision: string | undefined }> {
  const rows = (await matching
    .select('products.id')
    .select({ revision: db.raw(CATALOG_REVISION) })
    .orderBy('products.id')
    .limit(per_page)
    .offset((page - 1) * per_page)) as { id: number; revision: string }[]; // the selected columns
  return { ids: rows.map(({ id }) => id), revision: rows[0]?.revision };
}
