import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Db } from '../database/knex';
import type { SearchDefinition } from './define-search';
import { buildFeedEnd, type FeedPosition, type FeedQuery } from './feed';
import type { ListQuery } from './list-query';
import type { Page } from './page';

/**
 * Times are cut to milliseconds, and a page has only changes of earlier milliseconds. After this wait, what was committed
 * before the request is one of them.
 */
const NEXT_MILLISECOND = 2;

/**
 * Returns the horizon of a page: every transaction that is not visible to a statement after this one writes later times. Must not
 * run in the transaction of that statement, and not on a replica.
 */
export async function readFeedHorizon(db: Db): Promise<Date> {
  await wait(NEXT_MILLISECOND);
  const { rows } = await db.raw<{ rows: { horizon: Date }[] }>('SELECT feed_horizon() AS horizon');
  return rows[0]?.horizon ?? new Date(0);
}

interface FeedRow {
  id: number;
  at: Date;
}

/**
 * Returns the ids of one page of a feed, by (`updated_at`, `id`). One statement, which reads no more of an index than the page,
 * and what the conditions skip. Counts nothing: `total` is the number of records on this page.
 * @param matching a query on `search.table` without columns
 */
export async function findFeedPage(
  db: Db,
  matching: Knex.QueryBuilder,
  { per_page }: Pick<ListQuery, 'per_page'>,
  { feed, search }: { feed: FeedQuery; search: SearchDefinition },
): Promise<Page<number>> {
  const { table, feed: source = { at: `${table}.updated_at` } } = search;
  const settled = matching.clone();
  if (source.join !== undefined) void settled.joinRaw(source.join);
  const parts = [buildPart(db, settled, { feed, search, per_page, at: source.at, id: source.id })];
  if (source.unsettled !== undefined) {
    const unsettled = matching.clone().whereRaw(source.unsettled);
    parts.push(buildPart(db, unsettled, { feed, search, per_page, at: `${table}.updated_at` }));
  }
  const found: unknown = await (parts.length === 1
    ? parts[0]
    : db
        .from(db.unionAll(parts, true).as('feed'))
        .select('id', 'at')
        .orderByRaw('at, id')
        .limit(per_page));
  const rows = found as FeedRow[]; // the columns of each part
  const last = rows.length < per_page ? undefined : rows.at(-1);
  return {
    rows: rows.map(({ id }) => id),
    total: rows.length,
    page: 1,
    per_page,
    feed: buildFeedEnd(feed, last && toPosition(last)),
  };
}

const toPosition = ({ id, at }: FeedRow): FeedPosition => ({ updated_at: at, id });

interface Part {
  feed: FeedQuery;
  search: SearchDefinition;
  per_page: number;
  at: string;
  id?: string | undefined;
}

/** Builds the query of the records that are ordered by one time. */
function buildPart(
  db: Db,
  matching: Knex.QueryBuilder,
  { feed: { after, before }, search: { table }, per_page, at, id = `${table}.id` }: Part,
): Knex.QueryBuilder {
  return matching
    .select({ id: `${table}.id`, at: db.raw(at) })
    .whereRaw(`(${at}, ${id}) > (CAST(? AS timestamptz), CAST(? AS integer))`, [after.updated_at, after.id])
    .whereRaw(`${at} < ?`, [before])
    .orderByRaw(`${at}, ${id}`)
    .limit(per_page);
}
