import type { z } from 'zod';
import type { SearchDefinition } from '../query-builder/define-search';
import type { ListQuery } from '../query-builder/list-query';
import type { Page } from '../query-builder/page';
import type { ReplySource } from './reply-cache';
import type { UploadedFile } from './upload';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** Verb and path, `get /products/:id`, as the endpoint was declared. */
export type Route = `${Method} /${string}`;

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

/** `Ctx` is what the application knows of a request, `Access` its words for who may call. */
interface EndpointBase<Ctx, Access, P, Q, I> {
  /** Who may call it. */
  access: Access;
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
  /** Defaults to 200; 201 for creates, 204 for replies without a body. */
  status?: 200 | 201 | 204;
  /** What a refusal (422) looks like where it has a body of its own, beside the usual one for invalid input. */
  refusal?: Schema;
  /** Proxies and browsers must not store the reply: orders and accounts. */
  private?: true;
  /** Set where an `Idempotency-Key` is ignored: sign-in and sign-up, whose replies contain new tokens. */
  ignoresIdempotencyKey?: true;
  /**
   * Caches the replies of a GET as bytes until their source changes. They may depend on the URL and on whether the
   * caller is an admin, and on nothing else of the request.
   */
  cache?: ReplySource<Ctx>;
}

interface BodyEndpoint<Ctx, Access, P, Q, I, R extends Schema> extends EndpointBase<Ctx, Access, P, Q, I> {
  reply: R;
  handle: (ctx: Ctx, request: EndpointRequest<P, Q, I>) => Promise<z.output<R>>;
}

/** The record may be missing: `undefined` is 204 without a body. */
interface MaybeEmptyEndpoint<Ctx, Access, P, Q, I, R extends Schema> extends EndpointBase<
  Ctx,
  Access,
  P,
  Q,
  I
> {
  reply: R;
  mayBeEmpty: true;
  handle: (ctx: Ctx, request: EndpointRequest<P, Q, I>) => Promise<z.output<R> | undefined>;
}

interface PagedEndpoint<Ctx, Access, P, Q, I, R extends Schema> extends EndpointBase<Ctx, Access, P, Q, I> {
  paged: PagedReply<R>;
  search: SearchDefinition;
  handle: (ctx: Ctx, request: EndpointRequest<P, Q, I>) => Promise<Page<z.output<R>>>;
}

interface EmptyEndpoint<Ctx, Access, P, Q, I> extends EndpointBase<Ctx, Access, P, Q, I> {
  status: 204;
  handle: (ctx: Ctx, request: EndpointRequest<P, Q, I>) => Promise<void>;
}

type EndpointSpec<Ctx, Access, P, Q, I, R extends Schema> =
  | BodyEndpoint<Ctx, Access, P, Q, I, R>
  | MaybeEmptyEndpoint<Ctx, Access, P, Q, I, R>
  | PagedEndpoint<Ctx, Access, P, Q, I, R>
  | EmptyEndpoint<Ctx, Access, P, Q, I>;

/** What the document says of an endpoint. */
export interface EndpointDescription<Access extends string = string> {
  tag: string;
  route: Route;
  method: Method;
  path: string;
  access: Access;
  /** The route it repeats under a second path, whose examples are its own too. */
  sameAs?: Pick<EndpointDescription, 'route' | 'path'>;
  summary: string;
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  input?: Schema;
  search?: SearchDefinition;
  upload?: string;
  status: 200 | 201 | 204;
  refusal?: Schema;
  private: boolean;
  ignoresIdempotencyKey?: true;
  reply?: Schema;
  mayBeEmpty?: true;
  paged?: PagedReply<Schema>;
}

/** An endpoint as the server sees it, the types of its schemas forgotten. */
export interface Endpoint<Ctx, Access extends string> extends EndpointDescription<Access> {
  subject?: (ctx: Ctx, params: unknown) => Promise<unknown>;
  cache?: ReplySource<Ctx>;
  handle: (ctx: Ctx, request: EndpointRequest<Schema, Schema, Schema>) => Promise<unknown>;
}

/** The endpoints of one resource: what its router file returns. */
export interface Router<Ctx, Access extends string> {
  /** Its heading in the reference. */
  tag: string;
  endpoints: Endpoint<Ctx, Access>[];
}

/**
 * Declares one endpoint; PATCH is routed wherever PUT is. One declaration gives the route, who may call it, validation,
 * types and the OpenAPI entry.
 */
export function endpoint<
  Ctx,
  Access extends string,
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  I extends Schema | undefined = undefined,
  R extends Schema = Schema,
>(
  router: Router<Ctx, Access>,
  route: Route,
  spec: EndpointSpec<NoInfer<Ctx>, NoInfer<Access>, P, Q, I, R>,
): void {
  const [method, path] = route.split(' ');
  // The route's type is "<method> <path>"; the spec's own types are kept by this function's signature and are
  // not needed any more once its handler is called with what its schemas returned.
  const declared = { status: 200, private: false, ...spec, tag: router.tag, route, method, path } as unknown;
  router.endpoints.push(declared as Endpoint<Ctx, Access>);
}
