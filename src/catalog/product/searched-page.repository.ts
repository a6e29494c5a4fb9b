import type { Knex } from 'knex';
import type { Db } from '../../platform/database/knex';
import { queryPrepared } from '../../platform/database/prepared';
import { applyFilters } from '../../platform/query-builder/apply-search';
import { findIdPage } from '../../platform/query-builder/id-page';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { buildPage, type Page } from '../../platform/query-builder/page';
import {
  buildConditionKey,
  CATALOG_REVISION,
  chooseFirst,
  findKeptTotal,
  keepTotal,
  type Total,
} from './filter-totals';
import type { ProductView } from './product-view';
import { productSearch } from './products.search';
import { filterVisibleProducts } from './visible-products';

/**
 * Returns the ids of one page of the products in view that `q[...]` matches, and the exact total. If many match, the
 * total is kept until the catalog changes, and a page by id is read from the first products. One to three queries.
 */
export async function findSearchedPage(db: Db, list: ListQuery, view: ProductView): Promise<Page<number>> {
  const search = (products: Knex.QueryBuilder) =>
    applyFilters(filterVisibleProducts(products, view), list, productSearch);
  const findPage = () => findIdPage(db, search(db('products')), list, productSearch);
  if (list.sorts.length > 0 || list.conditions.length === 0 || list.feed !== null) return findPage();
  const key = buildConditionKey(view, applyFilters(db('products'), list, productSearch).toSQL());
  const kept = findKeptTotal(db, key, view.now);
  const first = chooseFirst(list, kept);
  if (kept !== null && first !== null) {
    const { ids, revision } = await readFirst(db, search(selectFirst(db, first)), list);
    if (ids.length === list.per_page && revision === kept.revision) return buildPage(ids, kept.total, list);
  }
  // Read before the total: if the catalog changes between them, the total is not used.
  const read = await readSize(db);
  const page = await findPage();
  const found = { ...read, total: page.total };
  if (chooseFirst({ page: 1, per_page: list.per_page }, found) !== null)
    await keepTotal(db, key, found, view.now);
  return page;
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

const SIZE = {
  name: 'catalog_size',
  sql: `SELECT ${CATALOG_REVISION} AS revision,
    (SELECT CAST(greatest(reltuples, 0) AS integer) FROM pg_class WHERE oid = CAST('products' AS regclass)) AS read`,
};

/** Returns the revision of the catalog, and the number of products as PostgreSQL estimates it. */
async function readSize(db: Db): Promise<Pick<Total, 'read'> & { revision: string }> {
  const [size] = await queryPrepared<{ revision: string; read: number }>(db, SIZE, []);
  return size ?? { revision: '', read: 0 };
}
