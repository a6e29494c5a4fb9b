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
};

/** Optional for lists whose path has no parameters. */
export type EachOptions<P extends ListPath> =
  Record<never, never> extends Options<P> ? [options?: Options<P>] : [options: Options<P>];

/** Reads one page; the public GET requires the path as a literal type. */
type ReadPage = (path: string, init: object) => Promise<Outcome<Page & Record<string, unknown>>>;

/**
 * Iterates over the records of a list and fetches each page when it is needed. `per_page` defaults to 100. Records that are
 * created or deleted during the iteration shift the later pages; with the sort order `id asc`, new records cause no duplicates.
 * @throws StoreError on an error response
 */
export async function* each<P extends ListPath>(
  calls: Calls,
  path: P,
  ...[options]: EachOptions<P>
): AsyncGenerator<RecordOf<P>, void, undefined> {
  // `ListPath` contains only paths that return a page of records.
  const read = calls.GET as unknown as ReadPage;
  const { params, ...init }: { params?: { query?: object } } = options ?? {};
  for (let page = 1; ; page += 1) {
    const query = { per_page: 100, ...params?.query, page };
    const reply = await unwrap(read(path, { ...init, params: { ...params, query } }));
    yield* Object.values(reply).find((value) => Array.isArray(value)) as RecordOf<P>[];
    if (page >= reply.pages) return;
  }
}
