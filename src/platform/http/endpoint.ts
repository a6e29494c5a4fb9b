import type { z } from 'zod';
import type { Ctx } from '../../sales/context';
import type { Route } from '../../access/policy';
import type { SearchDefinition } from '../query-builder/define-search';
import type { ListQuery } from '../query-builder/list-query';
import type { Page } from '../query-builder/page';
import type { ReplySource } from './reply-cache';
import type { UploadedFile } from './upload';

export type Method = 'get' | 'post' | 'put' | 'delete';

type Schema = z.ZodType;
type Output<S> = S extends Schema ? z.output<S> : undefined;

/** What a handler is given: everything already read and checked against the endpoint's schemas. */
export interface EndpointRequest<P, Q, I> {
  params: Output<P>;
  query: Output<Q>;
  input: Output<I>;
  list: ListQuery;
  file: UploadedFile | null;
}

/** How a list is answered: under a key in the paged envelope, or (`bare`) as an array with the totals in headers. */
export interface PagedReply<Item extends Schema> {
  key: string;
  item: Item;
  bare?: true;
}

interface EndpointBase<P, Q, I> {
  summary: string;
  description?: string;
  /** Path parameters; what does not fit them is 404. */
  params?: P;
  /** Documented single parameters beside the body (`show_deleted`, `amount`). */
  query?: Q;
  /** The body, taken from JSON, form, multipart and query alike. */
  input?: I;
  /** What `q[...]` may name; adds paging and search to the request. */
  search?: SearchDefinition;
  /** The multipart part that carries a file, where one is taken. */
  upload?: string;
  /**
   * Throws what a missing or forbidden record throws. Run only when the input is invalid, so that 404 and 401
   * take precedence over 422 without costing a valid request a query.
   */
  subject?: (ctx: Ctx, params: Output<P>) => Promise<unknown>;
  /** 200 unless told; 201 for creates, 204 for replies without a body. */
  status?: 200 | 201 | 204;
  /** What a refusal (422) looks like where it has a body of its own, beside the usual one for invalid input. */
  refusal?: Schema;
  /** Sent by proxies and browsers to nobody else: orders and accounts. */
  private?: true;
  /**
   * Keeps the replies of a GET as bytes while what they are made from stands. They may depend on the URL and on whether
   * the caller is an admin, and on nothing else of the request.
   */
  cache?: ReplySource;
}

interface BodyEndpoint<P, Q, I, R extends Schema> extends EndpointBase<P, Q, I> {
  reply: R;
  handle: (ctx: Ctx, request: EndpointRequest<P, Q, I>) => Promise<z.output<R>>;
}

/** What it answers may not be there: `undefined` is 204 without a body. */
interface MaybeEmptyEndpoint<P, Q, I, R extends Schema> extends EndpointBase<P, Q, I> {
  reply: R;
  mayBeEmpty: true;
  handle: (ctx: Ctx, request: EndpointRequest<P, Q, I>) => Promise<z.output<R> | undefined>;
}

interface PagedEndpoint<P, Q, I, R extends Schema> extends EndpointBase<P, Q, I> {
  paged: PagedReply<R>;
  search: SearchDefinition;
  handle: (ctx: Ctx, request: EndpointRequest<P, Q, I>) => Promise<Page<z.output<R>>>;
}

interface EmptyEndpoint<P, Q, I> extends EndpointBase<P, Q, I> {
  status: 204;
  handle: (ctx: Ctx, request: EndpointRequest<P, Q, I>) => Promise<void>;
}

type EndpointSpec<P, Q, I, R extends Schema> =
  | BodyEndpoint<P, Q, I, R>
  | MaybeEmptyEndpoint<P, Q, I, R>
  | PagedEndpoint<P, Q, I, R>
  | EmptyEndpoint<P, Q, I>;

/** An endpoint as the server and the document see it, its types forgotten. */
export interface Endpoint {
  tag: string;
  route: Route;
  method: Method;
  path: string;
  summary: string;
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  input?: Schema;
  search?: SearchDefinition;
  upload?: string;
  subject?: (ctx: Ctx, params: unknown) => Promise<unknown>;
  status: 200 | 201 | 204;
  refusal?: Schema;
  private: boolean;
  cache?: ReplySource;
  reply?: Schema;
  mayBeEmpty?: true;
  paged?: PagedReply<Schema>;
  handle: (ctx: Ctx, request: EndpointRequest<Schema, Schema, Schema>) => Promise<unknown>;
}

/** The endpoints of one resource: what its router file returns. */
export interface ApiRouter {
  tag: string;
  endpoints: Endpoint[];
}

/** Starts a resource's list of endpoints; `tag` is its heading in the reference. */
export function apiRouter(tag: string): ApiRouter {
  return { tag, endpoints: [] };
}

/**
 * Declares one endpoint. `route` must have a row in src/policy.ts; PATCH answers wherever PUT does.
 * One declaration gives the route, validation, types, permission check and the OpenAPI entry.
 */
export function endpoint<
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  I extends Schema | undefined = undefined,
  R extends Schema = Schema,
>(router: ApiRouter, route: Route, spec: EndpointSpec<P, Q, I, R>): void {
  const [method, path] = route.split(' ');
  // The route's type is "<method> <path>"; the spec's own types are kept by this function's signature and are
  // not needed any more once its handler is called with what its schemas returned.
  const declared = { status: 200, private: false, ...spec, tag: router.tag, route, method, path } as unknown;
  router.endpoints.push(declared as Endpoint);
}
