import type { Client } from 'openapi-fetch';
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

/** What a GET of this path answers. */
type Reply<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

/** The paths of lists that come in pages. */
export type ListPath = {
  [P in keyof paths]: [Reply<P>] extends [never] ? never : Reply<P> extends Page ? P : never;
}[keyof paths];

type RecordsOf<Body> = Body[Exclude<keyof Body, keyof Page>];

/** A record of the list. */
export type RecordOf<P extends ListPath> = RecordsOf<Reply<P>> extends readonly (infer R)[] ? R : never;

type Parameters<P extends keyof paths> = paths[P] extends { get: { parameters: infer All } } ? All : never;

/** Path and query of the list, as for GET, but for the page. */
type Params<P extends ListPath> = {
  [In in keyof Parameters<P> as In extends 'path' | 'query' ? In : never]: In extends 'query'
    ? Omit<NonNullable<Parameters<P>[In]>, 'page'>
    : Parameters<P>[In];
};

interface Options<P extends ListPath> {
  params?: Params<P>;
  /** Ends the reading. */
  signal?: AbortSignal;
}

/** May be left out for lists whose path has no parameters. */
export type EachOptions<P extends ListPath> =
  Record<never, never> extends Params<P>
    ? [options?: Options<P>]
    : [options: Options<P> & { params: Params<P> }];

/** Reads one page; the public GET would want the path as a literal. */
type ReadPage = (path: string, init: object) => Promise<Outcome<Page & Record<string, unknown>>>;

/**
 * The records of a list, page after page, the next page read when the last record of the one before is taken. 100 a page
 * unless `per_page` says otherwise. Records that come or go meanwhile move the later ones: sort by `id asc` to see each
 * record at most once, or, when none are deleted, exactly once.
 * @throws StoreError when the API refuses
 */
export async function* each<P extends ListPath>(
  store: Client<paths>,
  path: P,
  ...[options]: EachOptions<P>
): AsyncGenerator<RecordOf<P>, void, undefined> {
  // `ListPath` holds the paths that answer a page of records only.
  const read = store.GET as unknown as ReadPage;
  const { params, ...init }: { params?: { query?: object } } = options ?? {};
  for (let page = 1; ; page += 1) {
    const query = { per_page: 100, ...params?.query, page };
    const reply = await unwrap(read(path, { ...init, params: { ...params, query } }));
    yield* Object.values(reply).find((value) => Array.isArray(value)) as RecordOf<P>[];
    if (page >= reply.pages) return;
  }
}
