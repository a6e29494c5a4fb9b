import { LRUCache } from 'lru-cache';
import type { Db } from '../../platform/database/knex';
import { keepWhileConnected } from '../../platform/lost-connections';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { findNextAppearance } from './appearances.repository';
import type { ProductView } from './product-view';

/** The total and the pages of a list in one view, for one visibility. */
interface Listed {
  visibility: string;
  /** When products appear or disappear by time alone; null for never. */
  validUntil: Date | null;
  total: Promise<number>;
  /** The ids of pages by `keyOf`. */
  pages: LRUCache<string, readonly number[]>;
}

const MOST_PAGES = 200;

/** What is kept of the lists of each database, by view. */
const lists = keepWhileConnected(() => new WeakMap<Db, Map<string, Listed>>());

/** Returns the part of a catalog revision that is the sum of `VISIBILITY_REVISION`. */
export function readVisibility(revision: string): string {
  return revision.split(' ')[1] ?? '';
}

type PageNumber = Pick<ListQuery, 'page' | 'per_page'>;

/**
 * Returns the ids of a page by id of the products in view, and their total, if both are kept for this visibility. Stock and
 * prices do not change them.
 */
export async function findKeptPage(
  db: Db,
  view: ProductView,
  visibility: string,
  page: PageNumber,
): Promise<{ ids: readonly number[]; total: number } | null> {
  const listed = findListed(db, view, visibility);
  const ids = listed?.pages.get(keyOf(page));
  return listed === undefined || ids === undefined ? null : { ids, total: await listed.total };
}

/** Keeps a page for the visibility that its statement has read, if the total is kept for it. */
export function keepPage(
  { db, view, visibility }: { db: Db; view: ProductView; visibility: string },
  page: PageNumber,
  ids: readonly number[],
): void {
  findListed(db, view, visibility)?.pages.set(keyOf(page), ids);
}

const keyOf = ({ page, per_page }: PageNumber): string => `${page} ${per_page}`;

/**
 * Returns the number of products in view. Counts once for each visibility, however large the catalog is; stock and
 * prices do not change it.
 * @param visibility the visibility that the list has read
 * @throws any error of `count`, which the next call repeats
 */
export async function countProductsInView(
  db: Db,
  view: ProductView,
  visibility: string,
  count: () => Promise<number>,
): Promise<number> {
  const known = findListed(db, view, visibility);
  if (known !== undefined) return known.total;
  const validUntil = await getNextAppearance(db, visibility, view.now);
  const total = count();
  const ofDatabase = lists().get(db) ?? new Map<string, Listed>();
  lists().set(db, ofDatabase);
  const key = nameList(view);
  ofDatabase.set(key, { visibility, validUntil, total, pages: new LRUCache({ max: MOST_PAGES }) });
  total.catch(() => ofDatabase.delete(key));
  return total;
}

function findListed(db: Db, view: ProductView, visibility: string): Listed | undefined {
  const listed = lists().get(db)?.get(nameList(view));
  if (listed?.visibility !== visibility) return undefined;
  return listed.validUntil === null || view.now < listed.validUntil ? listed : undefined;
}

const nameList = ({ admin, deleted, discontinued }: ProductView): string =>
  [admin, deleted, discontinued].join(' ');

/** The next appearance of each database, and the visibility that it was read for. */
const appearances = keepWhileConnected(
  () => new WeakMap<Db, { visibility: string; from: Date; next: Promise<Date | null> }>(),
);

/**
 * Returns the next time after `at` that a product becomes available or is discontinued: visibility changes then without a
 * write. One query for each visibility, and after each such time.
 * @param visibility the sum of `VISIBILITY_REVISION`, which was read before
 */
export async function getNextAppearance(db: Db, visibility: string, at: Date): Promise<Date | null> {
  const known = appearances().get(db);
  if (known?.visibility === visibility && at >= known.from) {
    const next = await known.next;
    if (next === null || at < next) return next;
  }
  const read = { visibility, from: at, next: findNextAppearance(db, at) };
  appearances().set(db, read);
  read.next.catch(() => {
    if (appearances().get(db) === read) appearances().delete(db);
  });
  return read.next;
}
