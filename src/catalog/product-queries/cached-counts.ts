import { createHash } from 'node:crypto';
import type { Db } from '../../platform/database/knex';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { createRevisionMemory } from '../../platform/revision-memory';
import type { ProductFilters } from './product-filters';
import { findNextAppearance } from './appearances.repository';
import type { ProductView } from './product-view';

/** The number of products of a filtered list, and of the listings that were read to count them. */
export interface Total {
  total: number;
  read: number;
}

const MOST_TOTALS = 1_000;

/** The totals of lists, for the revision of the catalog. */
const totals = createRevisionMemory<Total>({ max: MOST_TOTALS });

/** Returns the key of the total of a list with these filters, this tsquery of its search and no other conditions. */
export function buildTotalKey(
  { admin, deleted, discontinued }: ProductView,
  filters: ProductFilters,
  query: string | null,
): string {
  const restricting: ProductFilters = { ...filters, words: null, facets: [] };
  return hash([admin, deleted, discontinued, query, restricting]);
}

/** Returns the key of the total of a list that only this condition restricts. */
export function buildConditionKey(
  { admin, deleted, discontinued }: ProductView,
  { sql, bindings }: { sql: string; bindings: readonly unknown[] },
): string {
  return hash([admin, deleted, discontinued, sql, bindings]);
}

/** Returns a digest, because values of clients may be long. */
function hash(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}

/**
 * Returns how many of the first records, by id, probably contain the page of a list that is ordered by id: three times as
 * many as if the matching ones were spread evenly. Null if that is no small part of them, or the total is unknown.
 */
export function chooseFirst(
  { page, per_page }: Pick<ListQuery, 'page' | 'per_page'>,
  counted: Total | null,
): number | null {
  if (counted === null || counted.total === 0) return null;
  const first = Math.ceil((3 * page * per_page * counted.read) / counted.total);
  return first < counted.read / 4 ? first : null;
}

/** Returns the kept total. It is valid for a statement that reads the same revision. */
export function findKeptTotal(key: string, now: Date): (Total & { revision: string }) | null {
  const kept = totals.findLast(key, now);
  return kept === undefined ? null : { ...kept.value, revision: kept.revision };
}

/** Keeps a total that a statement counted at `now` together with the revision. One query. */
export async function keepTotal(
  db: Db,
  key: string,
  { total, read, revision }: Total & { revision: string },
  now: Date,
): Promise<void> {
  totals.keepFor(revision, key, { total, read }, await findNextAppearance(db, now));
}
