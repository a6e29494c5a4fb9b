import type { Request } from 'express';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { TransactionHooks } from '../database/transaction';
import type { ErrorReplies, Reply, ReplyQuota } from '../idempotency/run-once';
import type { Parameters } from '../parameters';
import type { CredentialNames } from './credentials';
import type { Endpoint, EndpointDescription, Route } from './endpoint';
import type { KeyOwner } from './idempotency-key';
import type { RecordReader } from './if-match';
import type { OtherNames } from './near-names';
import type { ReplyCache, ReplySource, SeenRevision } from './reply-cache';
import type { Turns } from './request-turn';
import type { UploadedFile } from './upload';

/** The part of an application's context that the handler needs. */
export interface RequestContext {
  db: Knex;
  log: Logger;
  now: () => Date;
  /** What the headers of the request add to its transactions. Set by the handler and read by `withTransaction`. */
  transactionHooks?: TransactionHooks | undefined;
  /**
   * The revision of the source that a cached read has seen. What was read after it may be kept for it.
   * Missing if the reply is not cached.
   */
  revision?: SeenRevision | undefined;
  /**
   * Notes what a request costs besides `calculateCost`, in its points, as soon as it is known: the size of the record that it
   * changes. Missing for members of staff.
   */
  noteCost?: ((points: number) => void) | undefined;
}

/** The data from which an application creates the context of a request. */
export interface RequestFacts {
  route: Route;
  /** What a token or a role must include for the endpoint. */
  scope: string;
  /** Returns a parameter in the path; null if the path has no such parameter. */
  pathParameter: (name: string) => string | null;
  requestId: string;
  /** The network address of the client, as far as `trust proxy` lets it be determined. */
  clientAddress: string;
  /** Returns the value of a request header; null if it is missing or empty. */
  header: (name: string) => string | null;
  /** Returns a text parameter of the query or the body; null if it is missing, empty or not text. */
  parameter: (name: string) => string | null;
}

/** The functions by which an application identifies and authorizes actors, and caches replies. */
export interface Application<Ctx, Access extends string> {
  /** Where requests carry credentials. */
  credentials: CredentialNames;
  /** Identifies the actor and creates the context. @throws an error if the credentials are invalid */
  createContext: (request: RequestFacts) => Promise<Ctx>;
  /** Authorizes the call before any record is loaded. @throws an error if the actor may not call the endpoint */
  authorize: (endpoint: Pick<EndpointDescription<Access>, 'access' | 'method'>, ctx: Ctx) => void;
  /** Charges the caller for a request before its work; those that are replied from the cache are free. @throws a refusal */
  charge: (ctx: Ctx, cost: number) => Promise<void>;
  turns: Turns;
  /** Returns the error to reply with instead of an error of an endpoint; counts failed attempts. */
  countRefusal: (
    error: unknown,
    endpoint: Pick<EndpointDescription<Access>, 'access' | 'path'>,
    ctx: Ctx,
    pathParameter: RequestFacts['pathParameter'],
  ) => Promise<unknown>;
  /**
   * Returns whether the actor is an admin, who may search by admin attributes. Cached replies of admins are separate.
   */
  isAdmin: (ctx: Ctx) => boolean;
  /** Returns the application's cache for a source. */
  cacheOf: (source: ReplySource<Ctx>) => ReplyCache<Ctx>;
  /**
   * Returns the `Cache-Control` of cached replies to this caller, if proxies may keep them; null if they may not. Undefined:
   * they never may.
   */
  sharedCacheControl?: (ctx: Ctx) => string | null;
  /**
   * Returns the path at which GET replies with the record of an endpoint, or with its parent: the path of the endpoint,
   * unless a record has endpoints below two paths.
   */
  toRecordPath: (path: string) => string;
  /**
   * Runs a read whose result is cached, with a context whose database may be a replica. Undefined: always the given
   * context.
   */
  readCacheable?: <T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>) => Promise<T>;
  /** Runs the work of an endpoint as soon as the application lets it, so that slow ones leave connections for others. */
  awaitTurn: <T>(
    endpoint: Pick<EndpointDescription<Access>, 'access' | 'paged'>,
    work: () => Promise<T>,
  ) => Promise<T>;
  /** To whom the idempotency keys of a request belong; the same key of another owner is another key. */
  keyOwner: (ctx: Ctx) => KeyOwner;
  /** The space for the kept replies of the caller. */
  keyQuota: (ctx: Ctx) => ReplyQuota;
  /**
   * Authorizes the caller for the record that a kept reply is about, which may have another owner by now.
   * @throws a refusal
   */
  authorizeReplay: (
    ctx: Ctx,
    endpoint: Pick<EndpointDescription<Access>, 'access' | 'path' | 'route'>,
    replay: { reply: Reply; pathParameter: RequestFacts['pathParameter'] },
  ) => Promise<void>;
  /** The key that encrypts stored replies; the same at every start and on every instance. */
  secret: Buffer;
  errorReply: ErrorReplies;
  /** Parameters by the names of other programs, for hints. */
  otherNames: OtherNames;
}

/** How a request of one endpoint is handled. */
export interface Handling<Ctx, Access extends string> {
  endpoint: Endpoint<Ctx, Access>;
  app: Application<Ctx, Access>;
  /** The endpoint whose `ETag` an `If-Match` names; null when there is none. */
  reader: RecordReader<Ctx, Access> | null;
}

/** A request whose caller may call the endpoint, with its upload received. */
export interface Received<Ctx> {
  request: Request;
  ctx: Ctx;
  query: Parameters;
  body: unknown;
  file: UploadedFile | null;
}
