import type { Db } from '../../platform/database/knex';
import type { ProductView } from './product-view';

/** A total and the visibility that it was counted for. */
interface Counted {
  revision: string;
  /** When products appear or disappear by time alone; null for never. */
  validUntil: Date | null;
  total: Promise<number>;
}

/** The totals of each database, by view. */
const totals = new WeakMap<Db, Map<string, Counted>>();

/** The sum of the revision log that changes with what decides which products are listed. */
export const VISIBILITY_REVISION = `(SELECT COALESCE(sum(n), 0) FROM catalog_revisions WHERE kind = 'visibility')`;

/**
 * Returns the number of products in view. Counts once for each visibility, however large the catalog is; stock and
 * prices do not change it.
 * @param revision the visibility that the list has read
 * @throws any error of `count`, which the next call repeats
 */
export async function countProductsInView(
  db: Db,
  view: ProductView,
  revision: string,
  count: () => Promise<number>,
): Promise<number> {
  const ofDatabase = totals.get(db) ?? new Map<string, Counted>();
  totals.set(db, ofDatabase);
  const key = [view.admin, view.deleted, view.discontinued].join(' ');
  const known = ofDatabase.get(key);
  const isValid = known?.revision === revision && (known.validUntil === null || view.now < known.validUntil);
  if (known !== undefined && isValid) return known.total;
  const validUntil = await getNextAppearance(db, revision, view.now);
  const total = count();
  ofDatabase.set(key, { revision, validUntil, total });
  total.catch(() => ofDatabase.delete(key));
  return total;
}

/** The next appearance of each database, and the visibility that it was read for. */
const appearances = new WeakMap<Db, { visibility: string; from: Date; next: Promise<Date | null> }>();

/**
 * Returns the next time after `at` that a product becomes available or is discontinued: visibility changes then without a
 * write. One query for each visibility, and after each such time.
 * @param visibility the sum of `VISIBILITY_REVISION`, which was read before
 */
export async function getNextAppearance(db: Db, visibility: string, at: Date): Promise<Date | null> {
  const known = appearances.get(db);
  if (known?.visibility === visibility && at >= known.from) {
    const next = await known.next;
    if (next === null || at < next) return next;
  }
  const read = { visibility, from: at, next: findNextAppearance(db, at) };
  appearances.set(db, read);
  read.next.catch(() => {
    if (appearances.get(db) === read) appearances.delete(db);
  });
  return read.next;
}

/** Reads what `getNextAppearance` returns. One query. */
export async function findNextAppearance(db: Db, at: Date): Promise<Date | null> {
  const found = await db.raw<{ rows: { next: Date | null }[] }>(
    `SELECT least((SELECT min(available_on) FROM products WHERE available_on > ?),
                  (SELECT min(discontinue_on) FROM products WHERE discontinue_on > ?)) AS next`,
    [at, at],
  );
  return found.rows[0]?.next ?? null;
}
