import type { Calls, Data, MaybeParams, Params, PathWith } from './calls.ts';
import { unwrap, type Outcome } from './errors.ts';
import type { paths } from './schema.ts';

/** The fields of every page of a list, besides its records. */
interface Page {
  count: number;
  total_count: number;
  current_page: number;
  per_page: number;
  pages: number;
}

/** The paths of paginated lists. */
export type ListPath = {
  [P in PathWith<'get'>]: Data<paths[P]['get']> extends Page ? P : never;
}[PathWith<'get'>];

/** The lists of a page; a page may have other fields, such as `facets`. */
type RecordsOf<Body> = {
  [Name in Exclude<keyof Body, keyof Page>]: Body[Name] extends readonly unknown[] ? Body[Name] : never;
}[Exclude<keyof Body, keyof Page>];

/** A record of the list at this path. */
export type RecordOf<P extends ListPath> =
  RecordsOf<Data<paths[P]['get']>> extends readonly (infer R)[] ? R : never;

type WithoutPage<All> = {
  [In in keyof All]: In extends 'query' ? Omit<NonNullable<All[In]>, 'page'> : All[In];
};

type Options<P extends ListPath> = MaybeParams<WithoutPage<Params<paths[P]['get']>>> & {
  /** Aborts the iteration. */
  signal?: AbortSignal;
  /**
   * Called with the cursor behind the records that the loop has handled: after each page of a feed, also an empty one. Keep the
   * cursor, and send it as `cursor` to read only what changes later. Not called for lists that are no feeds.
   */
  onCursor?: (cursor: string) => void | Promise<void>;
};

/** Optional for lists whose path has no parameters. */
export type EachOptions<P extends ListPath> =
  Record<never, never> extends Options<P> ? [options?: Options<P>] : [options: Options<P>];

/** Reads one page; the public GET requires the path as a literal type. */
type ReadPage = (path: string, init: object) => Promise<Outcome<Page & FeedEnd & Record<string, unknown>>>;

/** What a page of a feed has besides. */
interface FeedEnd {
  next_cursor?: string;
  more?: boolean;
}

type Query = Record<string, unknown>;

/**
 * Iterates over the records of a list and fetches each page when it is needed. `per_page` defaults to 100.
 *
 * Lists that are feeds are read by cursor, in the order of their changes, so that changes during the iteration make it miss no
 * record. Each record comes once; with `cursor`, `updated_since` or `onCursor`, it comes again when it changes. A list with
 * an order of its own (`q[s]`, `search`, `ids`), and one that is no feed, is read by page: records that are created or deleted
 * during the iteration shift the later pages; with the sort order `id asc`, new records cause no duplicates.
 * @throws StoreError on an error response
 */
export async function* each<P extends ListPath>(
  calls: Calls,
  path: P,
  ...[options]: EachOptions<P>
): AsyncGenerator<RecordOf<P>, void, undefined> {
  const { params, onCursor, ...init }: EachInit = options ?? {};
  const given = { per_page: 100, ...params?.query };
  const isFollowed = 'cursor' in given || 'updated_since' in given || onCursor !== undefined;
  // A whole list of orders has the open ones, as by page.
  const query = path === '/api/v1/orders' && !isFollowed ? { carts: true, ...given } : given;
  const read = (position: Query) =>
    // `ListPath` contains only paths that return a page of records.
    unwrap((calls.GET as unknown as ReadPage)(path, { ...init, params: { ...params, query: position } }));
  const seen = new Set<unknown>();
  const isNew = (record: unknown): boolean => {
    const id = isFollowed ? undefined : idOf(record);
    if (id === undefined) return true;
    return !seen.has(id) && seen.add(id).size > 0;
  };

  let position: Query = hasOrder(given) ? { ...given, page: 1 } : { cursor: '', ...query };
  for (let page = 1; ; page += 1) {
    const reply = await read(position);
    const records = Object.values(reply).find((value) => Array.isArray(value)) as RecordOf<P>[];
    for (const record of records) if (isNew(record)) yield record;
    const { next_cursor: cursor, more } = reply;
    if (cursor !== undefined) await onCursor?.(cursor);
    if (cursor === undefined ? page >= reply.pages : more !== true) return;
    position = cursor === undefined ? { ...given, page: page + 1 } : { ...query, cursor };
  }
}

interface EachInit {
  params?: { query?: Query };
  onCursor?: (cursor: string) => void | Promise<void>;
}

/** Returns whether the query determines the order of the records. */
function hasOrder({ q, search, ids, ...query }: Query): boolean {
  const sorts = ['q[s]', 'q[sorts]', 'q[s][]'].some((name) => query[name] !== undefined);
  const isSorted = typeof q === 'object' && q !== null && ('s' in q || 'sorts' in q);
  return sorts || isSorted || search !== undefined || ids !== undefined;
}

const idOf = (record: unknown): unknown =>
  typeof record === 'object' && record !== null && 'id' in record ? record.id : undefined;
