import { unwrap, type Data, type Outcome, type PathWith, type paths } from 'store-api-client';
import { store } from '../office';
import { CHANGED, OwnRefusal } from '../../shared/messages';
import { onceAt, once } from './act';
import type { Values } from './fields';
import type { ListRequest, Page } from './list';

type Operations<P extends keyof paths> = paths[P];
type OneOf<P extends string> = `${P}/{id}`;

/** The paths of records that are listed, created, changed and deleted alike. */
export type ResourcePath = {
  [P in PathWith<'get'> & PathWith<'post'>]: OneOf<P> extends PathWith<'put'> & PathWith<'delete'>
    ? P
    : never;
}[PathWith<'get'> & PathWith<'post'>];

/** A record of the list at this path. */
type RecordOf<P extends ResourcePath> =
  Data<Operations<P>['get']> extends infer Body
    ? Body extends readonly (infer Row)[]
      ? Row
      : { [Name in keyof Body]: Body[Name] extends readonly (infer Row)[] ? Row : never }[keyof Body]
    : never;

type BodyOf<Operation> = Operation extends { requestBody?: { content: infer Content } }
  ? Content[keyof Content]
  : never;

/** What both creating and changing a record of this path accept. */
type ResourceBody<P extends ResourcePath> = BodyOf<Operations<P>['post']> &
  (OneOf<P> extends PathWith<'put'> ? BodyOf<Operations<OneOf<P>>['put']> : never);

/** A list. Short ones have no pages, and some have no name. */
type Reply = readonly unknown[] | (Record<string, unknown> & Partial<Omit<Page<never>, 'rows'>>);
const isList = (reply: Reply): reply is readonly unknown[] => Array.isArray(reply);

type Send<Body> = (path: string, init: object) => Promise<Outcome<Body>>;

/** A record, and the version of it that is shown: changes send it and fail if another tab was quicker. */
export interface Versioned<Body> {
  record: Body;
  version: string;
}

/** Returns the record of a call with its version. @throws StoreError on an error response */
export async function unwrapVersioned<Body>(call: Promise<Outcome<Body>>): Promise<Versioned<Body>> {
  const reply = await call;
  return {
    record: await unwrap(Promise.resolve(reply)),
    version: reply.response.headers.get('ETag') ?? '*',
  };
}

/**
 * Returns the requests of a `ResourcePage`. `toBody` gets the record before the change, and null for a new one.
 */
export function requestsOf<P extends ResourcePath>(
  path: P,
  toBody: (values: Values, before: RecordOf<P> | null) => ResourceBody<P>,
) {
  // The types of the calls need each path as a literal. Paths, bodies and records have been checked above.
  const calls = store as unknown as {
    GET: Send<unknown>;
    POST: Send<Data<Operations<P>['post']>>;
    PUT: Send<unknown>;
    DELETE: Send<unknown>;
  };
  const pathOf = ({ id }: { id: number }) => ({ params: { path: { id } } });
  return {
    read: async ({ page, perPage, signal }: ListRequest): Promise<Page<RecordOf<P>>> => {
      const query = { page, per_page: perPage };
      const reply = (await unwrap(calls.GET(path, { params: { query }, signal }))) as Reply;
      // A list is named as its path.
      const rows = (isList(reply) ? reply : reply[path.slice('/api/v1/'.length)]) as RecordOf<P>[];
      const { pages = 1, total_count = rows.length } = isList(reply) ? {} : reply;
      return { rows, pages, total_count };
    },
    create: (values: Values, key: string) =>
      unwrap(calls.POST(path, { headers: once(key), body: toBody(values, null) })),
    /** @throws OwnRefusal if the form would show the record otherwise now than when it was opened */
    update: async (
      row: RecordOf<P> & { id: number },
      values: Values,
      key: string,
      toValues: (row: RecordOf<P> & { id: number }) => Values,
    ) => {
      const { record, version } = await unwrapVersioned(calls.GET(`${path}/{id}`, pathOf(row)));
      const current = record as typeof row; // lists show records as they are
      if (JSON.stringify(toValues(current)) !== JSON.stringify(toValues(row))) throw new OwnRefusal(CHANGED);
      const headers = onceAt(key, version);
      return unwrap(calls.PUT(`${path}/{id}`, { ...pathOf(row), headers, body: toBody(values, current) }));
    },
    remove: (row: { id: number }, key: string) =>
      unwrap(calls.DELETE(`${path}/{id}`, { ...pathOf(row), headers: once(key) })),
  };
}
