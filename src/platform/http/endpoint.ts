import type { Parameters } from '../parameters';
import type { z } from 'zod';
import type { SearchDefinition } from '../query-builder/define-search';
import type { ListQuery } from '../query-builder/list-query';
import type { Page } from '../query-builder/page';
import type { JsonText } from './json-text';
import type { ReplySource } from './reply-cache';
import type { UploadedFile } from './upload';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** The method and path of an endpoint, as declared: `get /products/:id`. */
export type Route = `${Method} /${string}`;

type Schema = z.ZodType;
type Output<S> = S extends Schema ? z.output<S> : undefined;

/** The request as a handler receives it, validated by the endpoint's schemas. */
export interface EndpointRequest<P, Q, I> {
  params: Output<P>;
  query: Output<Q>;
  input: Output<I>;
  list: ListQuery;
  file: UploadedFile | null;
  /** For endpoints with `isSigned`. */
  signed?: SignedBody;
}

/** A body as it was received, and the headers that may have its signature. */
export interface SignedBody {
  body: string;
  /** Returns a header; null if it is missing. */
  header: (name: string) => string | null;
}

/** The form of a list reply: under a key in the paged envelope, or (`bare`) as an array with the totals in headers. */
export interface PagedReply<Item extends Schema> {
  key: string;
  item: Item;
  bare?: true;
  /** Whether all records without counts are returned, unless the request has `page` or `per_page`. */
  isWholeUnlessPaged?: true;
  /** Further fields of the envelope, which the handler returns as `more`. */
  more?: Readonly<Record<string, Schema>>;
}

/** `Ctx` is the application's context of a request, `Access` its names for who may call an endpoint. */
interface EndpointBase<Ctx, Access, P, Q, I> {
  /** Who may call the endpoint. */
  access: Access;
  /** What a token or a role must include for it. Defaults to a scope of the router, depending on the method. */
  scope?: `${string}:${'read' | 'write'}`;
  summary: string;
  description?: string;
  /** Path parameters. Invalid ones result in 404. */
  params?: P;
  /** Documented parameters besides the body (`show_deleted`, `amount`). */
  query?: Q;
  /** The body. Parameters of JSON, form, multipart and query are equivalent. */
  input?: I;
  /** The attributes of `q[...]`. Adds paging and search to the request. */
  search?: SearchDefinition;
  /** Whether the list can be read as a feed, by `cursor` or `updated_since`. Its search must have `updated_at`. */
  feed?: true;
  /** The multipart part that contains a file, if the endpoint accepts one. */
  upload?: string;
  /** The maximum size of the file; defaults to 10 MiB. */
  maxUploadBytes?: number;
  /** How many keys and list entries a JSON body may have; defaults to 5,000. */
  maxKeys?: number;
  /**
   * Throws the error of a missing or forbidden record. Called only if the input is invalid, so that 404 and 401 take
   * precedence over 422 without an extra query for valid requests.
   */
  subject?: (ctx: Ctx, params: Output<P>) => Promise<unknown>;
  /** Defaults to 200; 201 for creates, 202 for work that continues after the reply, 204 for replies without a body. */
  status?: 200 | 201 | 202 | 204;
  /** The schema of an additional 422 body, besides the usual one for invalid input. */
  refusal?: Schema;
  /** The body has a signature that the handler checks, so it needs the text as it was received. */
  isSigned?: true;
  /** Proxies and browsers must not store the reply. For orders and accounts. */
  private?: true;
  /** Set where an `Idempotency-Key` is ignored: sign-in and sign-up, whose replies contain new tokens. */
  ignoresIdempotencyKey?: true;
  /**
   * Refuses parameters that are not read, as with `Prefer: handling=strict`: where a misspelled limit would be no limit. A function
   * decides by the parameters, as they were sent, and by whether the caller is an admin.
   */
  isStrict?: true | IsStrict;
  /**
   * Caches the replies of a GET as bytes until their source changes. They may depend only on the URL and on whether the
   * actor is an admin.
   */
  cache?: ReplySource<Ctx>;
  /** Replies to admins are not cached: they also show what no source of replies notes. */
  isAdminUncached?: true;
}

type IsStrict = (given: Parameters, isAdmin: boolean) => boolean;

interface BodyEndpoint<Ctx, Access, P, Q, I, R extends Schema> extends EndpointBase<Ctx, Access, P, Q, I> {
  reply: R;
  /**
   * Returns what `If-Match` compares of a GET whose reply also shows what belongs to others: it changes with the record alone. Undefined
   * if the reply lacks it. Defaults to the whole reply.
   */
  version?: (reply: z.output<R>) => string | undefined;
  handle: (ctx: Ctx, request: EndpointRequest<P, Q, I>) => Promise<z.output<R> | JsonText>;
}

/** An endpoint whose record may be missing: `undefined` results in 204 without a body. */
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
  handle: (ctx: Ctx, request: EndpointRequest<P, Q, I>) => Promise<Page<z.output<R>> | Page<JsonText>>;
}

interface EmptyEndpoint<Ctx, Access, P, Q, I> extends EndpointBase<Ctx, Access, P, Q, I> {
  status: 204;
  handle: (ctx: Ctx, request: EndpointRequest<P, Q, I>) => Promise<void>;
}

/** The content types of file replies. */
export type FileType =
  'application/json; charset=utf-8' | 'application/pdf' | 'application/zip' | 'text/csv; charset=utf-8';

/** A part of a streamed file. */
export type FileChunk = string | Uint8Array;

/** A file in a reply: its content, or the chunks of a streamed one. */
export interface FileReply<Content = Buffer | AsyncIterable<FileChunk>> {
  /** The name under which a browser saves it: letters, digits, `-`, `_` and `.`. */
  name: string;
  content: Content;
}

/** An endpoint whose reply is a file. Its errors are JSON, as those of others. GET only. */
interface FileEndpoint<Ctx, Access, P, Q, I> extends EndpointBase<Ctx, Access, P, Q, I> {
  file: FileType;
  isStreamed?: false;
  cache?: never;
  handle: (ctx: Ctx, request: EndpointRequest<P, Q, I>) => Promise<FileReply<Buffer>>;
}

/** A file that is sent while it is produced, without an `ETag`. Its length does not matter for the memory. */
interface StreamedFileEndpoint<Ctx, Access, P, Q, I, R extends Schema> extends EndpointBase<
  Ctx,
  Access,
  P,
  Q,
  I
> {
  file: FileType;
  isStreamed: true;
  cache?: never;
  /** The schema of the content, if it is JSON. */
  reply?: R;
  handle: (ctx: Ctx, request: EndpointRequest<P, Q, I>) => Promise<FileReply<AsyncIterable<FileChunk>>>;
}

type EndpointSpec<Ctx, Access, P, Q, I, R extends Schema> =
  | BodyEndpoint<Ctx, Access, P, Q, I, R>
  | MaybeEmptyEndpoint<Ctx, Access, P, Q, I, R>
  | PagedEndpoint<Ctx, Access, P, Q, I, R>
  | FileEndpoint<Ctx, Access, P, Q, I>
  | StreamedFileEndpoint<Ctx, Access, P, Q, I, R>
  | EmptyEndpoint<Ctx, Access, P, Q, I>;

/** The part of an endpoint that the OpenAPI document describes. */
export interface EndpointDescription<Access extends string = string> {
  tag: string;
  route: Route;
  method: Method;
  path: string;
  access: Access;
  /** What a token or a role must include for it. */
  scope: string;
  /** The route that this one repeats under a second path. Both have the same examples. */
  sameAs?: Pick<EndpointDescription, 'route' | 'path'>;
  summary: string;
  description?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  input?: Schema;
  search?: SearchDefinition;
  feed?: true;
  upload?: string;
  maxUploadBytes?: number;
  maxKeys?: number;
  status: 200 | 201 | 202 | 204;
  refusal?: Schema;
  private: boolean;
  ignoresIdempotencyKey?: true;
  isSigned?: true;
  isStrict?: true | IsStrict;
  reply?: Schema;
  mayBeEmpty?: true;
  /** The content type, if the reply is a file. */
  file?: FileType;
  isStreamed?: boolean;
  paged?: PagedReply<Schema>;
}

/** An endpoint without the types of its schemas. */
export interface Endpoint<Ctx, Access extends string> extends EndpointDescription<Access> {
  subject?: (ctx: Ctx, params: unknown) => Promise<unknown>;
  cache?: ReplySource<Ctx>;
  isAdminUncached?: true;
  version?: (reply: unknown) => string | undefined;
  handle: (ctx: Ctx, request: EndpointRequest<Schema, Schema, Schema>) => Promise<unknown>;
}

/** The endpoints of one resource, as its router file returns them. */
export interface Router<Ctx, Access extends string> {
  /** The heading in the reference. */
  tag: string;
  /** The scopes of endpoints: `read` of GET, `write` of the other methods. */
  scopes: { read: string; write: string };
  endpoints: Endpoint<Ctx, Access>[];
}

/**
 * Declares one endpoint: its route, access, scope, validation, types and OpenAPI entry. A PUT endpoint also handles
 * PATCH.
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
  // The type of a route is "<method> <path>". The signature of this function checks the types of the spec; afterwards
  // the handler is only called with the output of its schemas.
  const { tag, scopes } = router;
  const scope = method === 'get' ? scopes.read : scopes.write;
  const declared = { status: 200, private: false, scope, ...spec, tag, route, method, path } as unknown;
  router.endpoints.push(declared as Endpoint<Ctx, Access>);
}
