import type { Db } from '../../platform/database/knex';
import { queryPrepared } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import { MAX_INT4 } from '../../platform/int4';
import { applyFilters, buildOrderSql } from '../../platform/query-builder/apply-search';
import { findPlainIdPage } from '../../platform/query-builder/id-page';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { buildPage, countRows, type Page } from '../../platform/query-builder/page';
import { createRecords } from '../../platform/resource/records';
import { STORE_CURRENCY } from '../store-settings-sql';
import { buildListingVisibility } from './listing-sql';
import { findListedPage } from './listings.repository';
import { buildListingOrder, isSortedByListing, placeOrders } from './product-orders-sql';
import { searchSlots } from './search-slots';
import { findSearchedPage } from './searched-page.repository';
import { NO_FILTERS, usesListings, type ProductFilters } from './product-filters';
import { countProductsInView, findKeptPage, keepPage, readVisibility } from './cached-lists';
import { PRODUCT_SNAPSHOT, type ProductSnapshot } from './product-snapshots.repository';
import type { CatalogSource, ProductView } from './product-view';
import { Product, type ProductColumns, type ProductRow } from './products.definition';
import { productSearch, taxonProductSearch } from './products.search';
import { filterVisibleProducts, buildVisibilitySql } from './visible-products';
import { VISIBILITY_REVISION } from './revisions-sql';

/** For columns only: who sees a product, and its slug, follow from the functions below. */
export const productRecords = createRecords(Product);

/**
 * Returns the product in view with this slug, or else this former slug, or else this id. A numeric slug therefore takes
 * precedence over an id.
 */
export async function findVisibleProduct(
  db: Db,
  view: ProductView,
  permalink: string,
): Promise<ProductRow | undefined> {
  return findNamedProduct<ProductRow>(db, view, { permalink, columns: 'products.*' });
}

/** Returns the snapshot of the same product. */
export async function findVisibleProductSnapshot(
  db: Db,
  view: ProductView,
  permalink: string,
): Promise<ProductSnapshot | undefined> {
  // The statement takes longer to plan than to run.
  const name = `product_state_${nameView(view)}`;
  return findNamedProduct<ProductSnapshot>(db, view, { permalink, columns: PRODUCT_SNAPSHOT, name });
}

/** Returns the end of the name of a prepared statement whose text depends on the view. */
function nameView({ deleted, admin, discontinued }: ProductView): string {
  return [deleted, admin, discontinued].map(Number).join('');
}

async function findNamedProduct<Row>(
  db: Db,
  view: ProductView,
  { permalink, columns, name }: { permalink: string; columns: string; name?: string },
): Promise<Row | undefined> {
  if (permalink.includes('\u0000')) return undefined; // PostgreSQL text cannot contain it
  const visible = buildVisibilitySql(view);
  const id = /^\d{1,10}$/.test(permalink) && Number(permalink) <= MAX_INT4 ? Number(permalink) : null;
  const statement = db.raw<{ rows: Row[] }>(
    `SELECT ${columns} FROM (
       SELECT 1 AS rank, id FROM products WHERE slug = :permalink
       UNION ALL SELECT 2, product_id FROM product_slugs WHERE slug = :permalink
       UNION ALL SELECT 3, CAST(:id AS integer) WHERE CAST(:id AS integer) IS NOT NULL
     ) AS named
     JOIN products ON products.id = named.id
     WHERE ${visible.sql.replaceAll('?', ':now')}
     ORDER BY named.rank, products.id DESC
     LIMIT 1`,
    { permalink, id, now: view.now },
  );
  const { rows } = await (name === undefined ? statement : statement.options({ name }));
  return rows[0];
}

/** Locks a product that is not deleted. All changes of a product and its nested records take this lock. */
export async function lockProductRow(tx: Tx, id: number): Promise<ProductRow | undefined> {
  const { rows } = await tx.raw<{ rows: ProductRow[] }>(
    'SELECT * FROM products WHERE id = ? AND deleted_at IS NULL FOR NO KEY UPDATE',
    [id],
  );
  return rows[0];
}

/** Locks products that are not deleted, by id, as `lockProductRow` does. @returns the ids of those that exist */
export async function lockProductRows(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await tx.raw<{ rows: { id: number }[] }>(
    'SELECT id FROM products WHERE id = ANY(?) AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE',
    [[...new Set(ids)]],
  );
  return new Set(rows.map((row) => row.id));
}

/**
 * Returns the ids of one page of the products in view, and the exact total. At most one query for a list without conditions,
 * which counts again only when the visibility of a product has changed, and then finds its pages by id again.
 * @throws Unavailable if too many searches are waiting
 */
export async function findProductPage(
  source: CatalogSource,
  requested: ListQuery,
  view: ProductView,
  filters: ProductFilters = NO_FILTERS,
): Promise<Page<number>> {
  const { db } = source;
  if (usesListings(filters)) return searchSlots(() => findListedPage(db, requested, view, filters));
  const list = placeOrders(requested, { taxonId: null, taxon: false });
  if (list.conditions.length > 0 || list.ids !== null || list.feed !== null)
    return searchSlots(() => findSearchedPage(db, list, view));
  if (list.sorts.length > 0) return searchSlots(() => findWholePage(db, list, view));
  const visibility = source.revision && readVisibility(source.revision.value);
  const kept = visibility === undefined ? null : await findKeptPage(view, visibility, list);
  if (kept !== null) return buildPage([...kept.ids], kept.total, list);
  return list.page * list.per_page <= MOST_SKIPPED
    ? findWholePage(db, list, view)
    : searchSlots(() => findWholePage(db, list, view));
}

/** Later pages take a slot of the searches: PostgreSQL reads all products before them. */
const MOST_SKIPPED = 20_000;

/** Returns a page of all products in view. */
async function findWholePage(db: Db, list: ListQuery, view: ProductView): Promise<Page<number>> {
  const rows = await (list.sorts.length === 0
    ? findRowsById(db, list, view)
    : findSortedRows(db, list, view));
  const [first] = rows;
  const count = () => countRows(filterVisibleProducts(db('products'), view));
  const total =
    first === undefined ? await count() : await countProductsInView(db, view, first.visibility, count);
  const ids = rows.map(({ id }) => id);
  if (first !== undefined && list.sorts.length === 0) keepPage(view, first.visibility, list, ids);
  return buildPage(ids, total, list);
}

/** A row of a page, with the visibility for which its total is counted. */
interface WholePageRow {
  id: number;
  visibility: string;
}

const WHOLE_PAGE = `products.id, ${VISIBILITY_REVISION} AS visibility`;

/** The statement takes longer to plan than to run. */
async function findRowsById(db: Db, list: ListQuery, view: ProductView): Promise<WholePageRow[]> {
  const { sql, bindings } = buildVisibilitySql(view);
  const statement = {
    name: `product_page_${nameView(view)}`,
    sql: `SELECT ${WHOLE_PAGE} FROM products WHERE ${sql} ORDER BY products.id LIMIT ? OFFSET ?`,
  };
  return queryPrepared(db, statement, [...bindings, list.per_page, (list.page - 1) * list.per_page]);
}

async function findSortedRows(db: Db, list: ListQuery, view: ProductView): Promise<WholePageRow[]> {
  if (isSortedByListing(list)) return findRowsByListing(db, list, view);
  const visible = buildVisibilitySql(view);
  const { rows } = await db.raw<{ rows: WholePageRow[] }>(
    `SELECT ${WHOLE_PAGE} FROM products WHERE ${visible.sql}
     ORDER BY ${buildOrderSql(list, productSearch)} LIMIT ? OFFSET ?`,
    [...visible.bindings, list.per_page, (list.page - 1) * list.per_page],
  );
  return rows;
}

/** Indexes have listings in the order of each name. */
async function findRowsByListing(db: Db, list: ListQuery, view: ProductView): Promise<WholePageRow[]> {
  const { rows } = await db.raw<{ rows: WholePageRow[] }>(
    `SELECT listing.product_id AS id, ${VISIBILITY_REVISION} AS visibility
     FROM product_listings AS listing WHERE ${buildListingVisibility(view)}
     ORDER BY ${buildListingOrder(list, 'listing', 'product_id')} LIMIT :limit OFFSET :offset`,
    { now: view.now, limit: list.per_page, offset: (list.page - 1) * list.per_page },
  );
  return rows;
}

/** Returns the same for the products classified under exactly this taxon, in the order of their positions. */
export async function findProductPageOfTaxon(
  db: Db,
  list: ListQuery,
  view: ProductView,
  { taxonId, filters = NO_FILTERS }: { taxonId: number; filters?: ProductFilters },
): Promise<Page<number>> {
  if (usesListings(filters)) return searchSlots(() => findListedPage(db, list, view, filters, taxonId));
  const classified = db('products')
    .join('classifications', 'classifications.product_id', 'products.id')
    .where('classifications.taxon_id', taxonId);
  const placed = placeOrders(list, { taxonId, taxon: false });
  const matching = applyFilters(filterVisibleProducts(classified, view), placed, taxonProductSearch);
  return findPlainIdPage(db, matching, placed, taxonProductSearch);
}

/**
 * Inserts a product with the first of these slugs that is free, waiting for concurrent inserts of the same slug. The
 * columns that the triggers on prices maintain are set in advance, so that the row is written once: the caller adds the
 * price of the master in the same transaction.
 * @returns the new id; null if all slugs are taken
 */
export async function insertProduct(
  tx: Tx,
  { price, ...product }: ProductColumns & { price: string },
  slugs: readonly string[],
): Promise<number | null> {
  const prices = { master_price: price, lowest_price: price, highest_price: price };
  for (const slug of slugs) {
    const [row] = await tx('products')
      .insert({ ...product, ...prices, slug, priced_in: tx.raw(`ARRAY[${STORE_CURRENCY}]`) })
      .onConflict(tx.raw('(slug) WHERE deleted_at IS NULL'))
      .ignore()
      .returning<{ id: number }[]>('id');
    if (row !== undefined) {
      await releaseFormerSlug(tx, slug);
      return row.id;
    }
  }
  return null;
}

/** Returns those of these slugs that another product has, ignoring deleted products. */
export async function findTakenSlugs(tx: Tx, slugs: readonly string[], exceptId: number): Promise<string[]> {
  return tx('products')
    .whereRaw('slug = ANY(?)', [[...slugs]])
    .whereNull('deleted_at')
    .whereNot({ id: exceptId })
    .pluck<string[]>('slug');
}

/** Changes the slug of a product; the former slug keeps working. @throws products_slug_unique if the slug is taken */
export async function updateSlug(
  tx: Tx,
  product: Pick<ProductRow, 'id' | 'slug'>,
  slug: string,
): Promise<void> {
  await tx('products').where({ id: product.id }).update({ slug });
  await releaseFormerSlug(tx, slug);
  await tx('product_slugs')
    .insert({ slug: product.slug, product_id: product.id })
    .onConflict('slug')
    .merge(['product_id']);
}

/** Deletes a former slug that is now in use by a product. */
async function releaseFormerSlug(tx: Tx, slug: string): Promise<void> {
  await tx('product_slugs').where({ slug }).delete();
}

/** Marks a product as deleted and replaces its slug, which becomes free. */
export async function markProductDeleted(tx: Tx, id: number, slug: string, now: Date): Promise<void> {
  await tx('products').where({ id }).update({ slug, deleted_at: now });
}
