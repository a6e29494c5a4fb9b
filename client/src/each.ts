import type { Calls, Data, MaybeParams, Params, PathWith } from './calls.ts';
import { unwrap, type Outcome } from './errors.ts';
import type { paths } from './schema.ts';

/** What every paged list answers beside its records. */
interface Page {
  count: number;
  total_count: number;
  current_page: number;
  per_page: number;
  pages: number;
}

/** The paths of lists that come in pages. */
export type ListPath = {
  [P in PathWith<'get'>]: Data<paths[P]['get']> extends Page ? P : never;
}[PathWith<'get'>];

type RecordsOf<Body> = Body[Exclude<keyof Body, keyof Page>];

/** A record of the list at this path. */
export type RecordOf<P extends ListPath> =
  RecordsOf<Data<paths[P]['get']>> extends readonly (infer R)[] ? R : never;

type WithoutPage<All> = {
  [In in keyof All]: In extends 'query' ? Omit<NonNullable<All[In]>, 'page'> : All[In];
};

type Options<P extends ListPath> = MaybeParams<WithoutPage<Params<paths[P]['get']>>> & {
  /** Ends the reading. */
  signal?: AbortSignal;
};

/** May be left out for lists whose path has no parameters. */
export type EachOptions<P extends ListPath> =
  Record<never, never> extends Options<P> ? [options?: Options<P>] : [options: Options<P>];

/** Reads one page; the public GET would want the path as a literal. */
type ReadPage = (path: string, init: object) => Promise<Outcome<Page & Record<string, unknown>>>;

/**
 * The records of a list, page after page, the next page read when the last record of the one before is taken. 100 a page
 * unless `per_page` says otherwise. Records that come or go meanwhile move the later ones: sort by `id asc`, and those that
 * come do no harm.
 * @throws StoreError when the API refuses
 */
export async function* each<P extends ListPath>(
  calls: Calls,
  path: P,
  ...[options]: EachOptions<P>
): AsyncGenerator<RecordOf<P>, void, undefined> {
  // `ListPath` holds only the paths that answer a page of records.
  const read = calls.GET as unknown as ReadPage;
  const { params, ...init }: { params?: { query?: object } } = options ?? {};
  for (let page = 1; ; page += 1) {
    const query = { per_page: 100, ...params?.query, page };
    const reply = await unwrap(read(path, { ...init, params: { ...params, query } }));
    yield* Object.values(reply).find((value) => Array.isArray(value)) as RecordOf<P>[];
    if (page >= reply.pages) return;
  }
}
