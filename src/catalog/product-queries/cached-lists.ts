import type { Db } from '../../platform/database/knex';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { createRevisionMemory } from '../../platform/revision-memory';
import { findNextAppearance } from './appearances.repository';
import type { ProductView } from './product-view';

const MOST_PAGES = 200;

/** The numbers of products in each view, for the visibility of products. */
const totals = createRevisionMemory<Promise<number>>({ max: 10 });

/** The ids of pages, for the visibility of products. */
const pages = createRevisionMemory<readonly number[]>({ max: MOST_PAGES });

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
  view: ProductView,
  visibility: string,
  page: PageNumber,
): Promise<{ ids: readonly number[]; total: number } | null> {
  const total = totals.find(nameList(view), visibility, view.now);
  const ids = pages.find(namePage(view, page), visibility, view.now);
  return total === undefined || ids === undefined ? null : { ids, total: await total };
}

/** Keeps a page for the visibility that its statement has read, if the total is kept for it. */
export function keepPage(
  view: ProductView,
  visibility: string,
  page: PageNumber,
  ids: readonly number[],
): void {
  const total = totals.findLast(nameList(view), view.now);
  if (total?.revision === visibility) pages.keepFor(visibility, namePage(view, page), ids, total.validUntil);
}

const nameList = ({ admin, deleted, discontinued }: ProductView): string =>
  [admin, deleted, discontinued].join(' ');

const namePage = (view: ProductView, { page, per_page }: PageNumber): string =>
  [nameList(view), page, per_page].join(' ');

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
  const key = nameList(view);
  const known = totals.find(key, visibility, view.now);
  if (known !== undefined) return known;
  const validUntil = await getNextAppearance(db, visibility, view.now);
  const total = count();
  totals.keepFor(visibility, key, total, validUntil);
  total.catch(() => {
    totals.forget(key);
  });
  return total;
}

/** A time at which visibility changes without a write: the first after `from`. */
interface Appearance {
  from: Date;
  next: Promise<Date | null>;
}

const appearances = createRevisionMemory<Appearance>({ max: 1 });

/**
 * Returns the next time after `at` that a product becomes available or is discontinued: visibility changes then without a
 * write. One query for each visibility, and after each such time.
 * @param visibility the sum of `VISIBILITY_REVISION`, which was read before
 */
export async function getNextAppearance(db: Db, visibility: string, at: Date): Promise<Date | null> {
  const known = appearances.find(NEXT, visibility);
  if (known !== undefined && at >= known.from) {
    const next = await known.next;
    if (next === null || at < next) return next;
  }
  const next = findNextAppearance(db, at);
  appearances.keepFor(visibility, NEXT, { from: at, next });
  next.catch(() => {
    appearances.forget(NEXT);
  });
  return next;
}

const NEXT = 'next';
