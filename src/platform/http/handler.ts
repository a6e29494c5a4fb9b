import type { Request, RequestHandler, Response } from 'express';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import type { Tx, TransactionHooks } from '../database/transaction';
import { NotFound, PreconditionFailed, TooLarge } from '../errors';
import {
  runOnce,
  type ErrorReplies,
  type Reply,
  type ReplyQuota,
  type ResultLog,
} from '../idempotency/run-once';
import type { Endpoint, EndpointDescription, FileReply, Route } from './endpoint';
import { getKeyCount } from './body-parsers';
import { sendFile } from './send-file';
import { readIdempotencyKey, readRequestKey, type KeyOwner } from './idempotency-key';
import { toJsonText } from './json-text';
import { buildPreconditionHooks, type RecordReader } from './if-match';
import { explainIgnoredParameters, findIgnoredParameters, prefersStrict } from './ignored-parameters';
import type { OtherNames } from './near-names';
import { noteRequest } from './request-notes';
import type { CredentialNames } from './credentials';
import { getEarlyBody } from './multipart-preface';
import { mergeParameters, parseQuery, type Parameters } from '../parameters';
import { readFeedHorizon } from '../query-builder/feed-page';
import type { ListQuery } from '../query-builder/list-query';
import { readRequest, type ReadRequest } from './read-request';
import { calculateCost, calculateReplyCost } from './request-cost';
import { createTurn, type Turn, type Turns } from './request-turn';
import { calculateEtag, buildReadyReply, sendReady, type ReadyReply } from './ready-reply';
import { buildAnswer, OPEN_REPLY, serializeAnswer, sendReply, type Answer } from './reply';
import type { ReplyCache, ReplySource, SeenRevision } from './reply-cache';
import { nameRoute } from './request-log';
import { getBodyText } from './body-parsers';
import { refuseUnreadBody } from './unread-body';
import {
  discardBody,
  discardUpload,
  isMultipart,
  MAX_UPLOAD_BYTES,
  receiveMultipart,
  type AcceptedUpload,
  type UploadedFile,
} from './upload';

/** The part of an application's context that the handler needs. */
export interface RequestContext {
  db: Knex;
  log: Logger;
  now: () => Date;
  /** What the headers of the request add to its transactions. Set by the handler and read by `withTransaction`. */
  transactionHooks?: TransactionHooks | undefined;
  /**
   * The revision of the source that a cached read has seen. What was read after it may be kept in a WeakMap under it.
   * Missing if the reply is not cached.
   */
  revision?: SeenRevision | undefined;
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
    endpoint: Pick<EndpointDescription<Access>, 'path' | 'route'>,
    replay: { reply: Reply; pathParameter: RequestFacts['pathParameter'] },
  ) => Promise<void>;
  /** The key that encrypts stored replies; the same at every start and on every instance. */
  secret: Buffer;
  errorReply: ErrorReplies;
  /** Parameters by the names of other programs, for hints. */
  otherNames: OtherNames;
}

/** The keys and list entries of a body. */
const MOST_KEYS = 5_000;
const KEYS = `A request body has at most ${MOST_KEYS} keys and list entries.`;

/** How a request of one endpoint is handled. */
interface Handling<Ctx, Access extends string> {
  endpoint: Endpoint<Ctx, Access>;
  app: Application<Ctx, Access>;
  /** The endpoint whose `ETag` an `If-Match` names; null when there is none. */
  reader: RecordReader<Ctx, Access> | null;
}

/** A request whose caller may call the endpoint, with its upload received. */
interface Received<Ctx> {
  request: Request;
  ctx: Ctx;
  query: Parameters;
  body: unknown;
  file: UploadedFile | null;
}

/**
 * Creates the request handler of an endpoint. It identifies the actor, authorizes the call, reads the request and
 * replies. Checks run in this order: token, permission, existence, permission on the record, input, state.
 */
export function createEndpointHandler<Ctx extends RequestContext, Access extends string>(
  handling: Handling<Ctx, Access>,
): RequestHandler {
  const { endpoint, app } = handling;
  const cache = endpoint.cache === undefined ? null : app.cacheOf(endpoint.cache);
  const respond = async (request: Request, response: Response, turn: Turn): Promise<void> => {
    await turn.takeEarly();
    const query = parseQuery(queryString(request.originalUrl));
    const early = mergeParameters(query, getEarlyBody(request), {});
    const ctx = await app.createContext(buildFacts(endpoint, { request, response, parameters: early }));
    turn.identify();
    app.authorize(endpoint, ctx);
    refuseUnreadBody(request, endpoint);
    const idempotencyKey = readIdempotencyKey(request, endpoint, app.keyOwner(ctx));
    const isAdmin = app.isAdmin(ctx);
    const isFresh = isFeedRequest(endpoint, early) || (isAdmin && endpoint.isAdminUncached === true);
    const key = isFresh
      ? null
      : buildCacheKey(request, { isAdmin, parameters: early, credentials: app.credentials });
    const isCacheable = cache !== null && key !== null && idempotencyKey === null;
    if (!isCacheable) await app.charge(ctx, calculateCost(endpoint, request, early));
    const { fields, file } = await receiveMultipart(request, response, readUpload(endpoint));
    const body: unknown = isMultipart(request) ? fields : request.body;
    const received = { request, ctx, query, body, file };
    try {
      if (!app.isAdmin(ctx)) await turn.take();
      if (idempotencyKey !== null) await respondOnce(response, handling, { received, idempotencyKey });
      else if (cache === null || key === null) await respondDirectly(response, handling, received);
      else await respondCached(response, handling, { received, cache, key });
    } finally {
      await discardUpload(file);
    }
  };
  return async (request, response) => {
    const turn = createTurn(request, app);
    try {
      nameRoute(response, request.baseUrl + endpoint.path);
      response.vary(app.credentials.header);
      if (getKeyCount(request) > (endpoint.maxKeys ?? MOST_KEYS)) throw new TooLarge('keys').withHint(KEYS);
      await respond(request, response, turn);
    } catch (error) {
      await discardBody(request);
      throw error;
    } finally {
      turn.end(calculateReplyCost(Number(response.getHeader('Content-Length') ?? 0)));
    }
  };
}

function buildFacts(
  { route, scope }: EndpointDescription,
  { request, response, parameters }: { request: Request; response: Response; parameters: Parameters },
): RequestFacts {
  return {
    route,
    scope,
    pathParameter: readPathParameters(request),
    requestId: String(response.getHeader('x-request-id') ?? ''),
    clientAddress: request.ip ?? '',
    header: (name) => toTextOrNull(request.header(name)),
    parameter: (name) => toTextOrNull(parameters[name]),
  };
}

function readPathParameters(request: Request): RequestFacts['pathParameter'] {
  return (name) => toTextOrNull(request.params[name]);
}

function readUpload({ upload, maxUploadBytes }: EndpointDescription): AcceptedUpload | null {
  return upload === undefined ? null : { part: upload, maxBytes: maxUploadBytes ?? MAX_UPLOAD_BYTES };
}

function queryString(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at + 1);
}

function toTextOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Runs the endpoint. `log` has what an earlier attempt at the same request committed. */
async function answer<Ctx extends RequestContext, Access extends string>(
  handling: Handling<Ctx, Access>,
  received: Received<Ctx>,
  log?: ResultLog,
): Promise<Answer> {
  try {
    return await runEndpoint(handling, received, log);
  } catch (error) {
    const pathParameter = readPathParameters(received.request);
    const refusal = await handling.app.countRefusal(error, handling.endpoint, received.ctx, pathParameter);
    throw noteIgnored(refusal, handling, received);
  }
}

/** Notes at the error of an endpoint which parameters were ignored. @returns the error */
function noteIgnored<Ctx extends RequestContext, Access extends string>(
  error: unknown,
  { endpoint, app }: Handling<Ctx, Access>,
  { request, ctx, query, body }: Received<Ctx>,
): unknown {
  const { credentials, otherNames } = app;
  const reader = { isAdmin: app.isAdmin(ctx), inPath: request.params, credentials, otherNames };
  const given = mergeParameters(query, body, {});
  const ignored = findIgnoredParameters(endpoint, given, reader);
  const hint = ignored.length === 0 ? null : explainIgnoredParameters(endpoint, given, reader);
  return noteRequest(error, { ignored, hint });
}

async function runEndpoint<Ctx extends RequestContext, Access extends string>(
  handling: Handling<Ctx, Access>,
  received: Received<Ctx>,
  log?: ResultLog,
): Promise<Answer> {
  const { endpoint, app } = handling;
  const { request, query, body, file } = received;
  const hooks = buildHooks(handling, received, log);
  const ctx = hooks === undefined ? received.ctx : { ...received.ctx, transactionHooks: hooks };
  const [given, isAdmin] = [mergeParameters(query, body, {}), app.isAdmin(ctx)];
  const { isStrict = false } = endpoint;
  const isRefusing = typeof isStrict === 'function' ? isStrict(given, isAdmin) : isStrict;
  const readAs = await readRequest(endpoint, ctx, {
    given,
    path: request.params,
    file,
    isAdmin,
    credentials: app.credentials,
    isStrict: isRefusing || prefersStrict(request.header('prefer')),
  });
  const signed = {
    body: getBodyText(request),
    header: (name: string) => toTextOrNull(request.header(name)),
  };
  const asked = {
    ...readAs,
    list: await openFeed(ctx, readAs),
    ...(endpoint.isSigned === true && { signed }),
  };
  const value = await app.awaitTurn(endpoint, () => endpoint.handle(ctx, asked));
  const { credentials } = app;
  const sent = { value, url: request.originalUrl, isAdmin: app.isAdmin(ctx), credentials };
  return buildAnswer(endpoint, asked, sent);
}

/** Adds the position in the feed to a list, with the horizon of the page. */
async function openFeed({ db }: RequestContext, { list, feedStart }: ReadRequest): Promise<ListQuery> {
  if (feedStart === null) return list;
  const ignored = list.sorts.length === 0 ? list.ignored : [...list.ignored, 's'];
  return { ...list, ignored, feed: { after: feedStart, before: await readFeedHorizon(db) } };
}

async function respondDirectly<Ctx extends RequestContext, Access extends string>(
  response: Response,
  handling: Handling<Ctx, Access>,
  received: Received<Ctx>,
): Promise<void> {
  const { endpoint } = handling;
  const made = await answer(handling, received);
  const { body, headers } = made;
  if (endpoint.file !== undefined) {
    const file = body as FileReply; // what the handler of such an endpoint returns, by its type
    await sendFile(received.request, response, { file, type: endpoint.file, headers });
  } else if (endpoint.method !== 'get' || body === undefined) {
    sendReply(response, serializeAnswer(endpoint, made));
  } else await sendReady(received.request, response, buildReadyReply(body, headers));
}

async function respondCached<Ctx extends RequestContext, Access extends string>(
  response: Response,
  handling: Handling<Ctx, Access>,
  { received, cache, key }: { received: Received<Ctx>; cache: ReplyCache<Ctx>; key: string },
): Promise<void> {
  const { readCacheable } = handling.app;
  const produce = async (ctx: Ctx) => {
    const { body, headers } = await answer(handling, { ...received, ctx });
    return buildReadyReply(body, headers);
  };
  const { request, query } = received;
  const charge = () => handling.app.charge(received.ctx, calculateCost(handling.endpoint, request, query));
  const ready = await cache.reply(
    received.ctx,
    key,
    (revision) => {
      const ctx = { ...received.ctx, revision };
      return readCacheable === undefined ? produce(ctx) : readCacheable(ctx, produce);
    },
    charge,
  );
  await sendReady(
    received.request,
    response,
    shareReply(ready, handling.app.sharedCacheControl?.(received.ctx)),
  );
}

/** Lets proxies keep a reply that is the same for all guests. Stale and private replies stay as they are. */
function shareReply(ready: ReadyReply, cacheControl: string | null | undefined): ReadyReply {
  if (cacheControl == null || ready.headers['Cache-Control'] !== OPEN_REPLY) return ready;
  return { ...ready, headers: { ...ready.headers, 'Cache-Control': cacheControl } };
}

/** Answers a request with an `Idempotency-Key`. */
async function respondOnce<Ctx extends RequestContext, Access extends string>(
  response: Response,
  handling: Handling<Ctx, Access>,
  { received, idempotencyKey }: { received: Received<Ctx>; idempotencyKey: string[] },
): Promise<void> {
  const { endpoint, app } = handling;
  const { db, log, now } = received.ctx;
  const requestKey = await readRequestKey(received.request, idempotencyKey, received);
  const { ctx } = received;
  const quota = app.keyQuota(ctx);
  const deps = { db, log, now, secret: app.secret, errorReply: app.errorReply, quota };
  const { reply, isReplayed } = await runOnce(deps, requestKey, async (results) =>
    serializeAnswer(endpoint, await orDone(endpoint, results, () => answer(handling, received, results))),
  );
  if (isReplayed) {
    const pathParameter = readPathParameters(received.request);
    try {
      await app.authorizeReplay(ctx, endpoint, { reply, pathParameter });
    } catch (error) {
      throw await app.countRefusal(error, endpoint, ctx, pathParameter);
    }
    response.set('Idempotency-Replayed', 'true');
  }
  sendReply(response, reply);
}

/** What the headers of a request add to its transactions. */
function buildHooks<Ctx extends RequestContext, Access extends string>(
  { endpoint, app, reader }: Handling<Ctx, Access>,
  { request, ctx }: Received<Ctx>,
  log: ResultLog | undefined,
): TransactionHooks | undefined {
  const ifMatch = request.header('if-match');
  if (ifMatch === undefined || (endpoint.method !== 'put' && endpoint.method !== 'delete')) return log;
  if (reader === null) {
    throw new PreconditionFailed('If-Match is not supported here: the record has no ETag.');
  }
  const path = reader.params(request.params);
  const currentEtag = async (tx: Tx): Promise<string> => {
    const asReader = { ...ctx, db: tx };
    const { credentials } = app;
    const sources = { given: {}, path, file: null, isAdmin: app.isAdmin(ctx), credentials, isStrict: false };
    const readAs = await readRequest(reader.endpoint, asReader, sources);
    return calculateEtag(toJsonText(await reader.endpoint.handle(asReader, readAs)));
  };
  return buildPreconditionHooks(ifMatch, currentEtag, log);
}

/**
 * Answers a repeated DELETE whose first attempt committed but did not reply. It finds no record before it reaches the
 * recorded result.
 */
async function orDone(
  endpoint: EndpointDescription,
  log: ResultLog,
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    const isDone = error instanceof NotFound && log.isBehind() && endpoint.status === 204;
    if (isDone) return { body: undefined, headers: {} };
    throw error;
  }
}

/** A page of a feed also changes when a transaction ends, which no revision shows. */
function isFeedRequest({ feed }: EndpointDescription, parameters: Parameters): boolean {
  return feed === true && ('cursor' in parameters || 'updated_since' in parameters);
}

/** Returns the cache key of a request; null if its reply must not be cached. */
function buildCacheKey(
  request: Request,
  {
    isAdmin,
    parameters,
    credentials,
  }: { isAdmin: boolean; parameters: Parameters; credentials: CredentialNames },
): string | null {
  const hasBody = request.body !== undefined || isMultipart(request);
  const isStrict = prefersStrict(request.header('prefer'));
  if (hasBody || isStrict || credentials.parameter in parameters || request.originalUrl.length > 2000)
    return null;
  return `${isAdmin ? 'admin' : PUBLIC} ${request.originalUrl}`;
}

const PUBLIC = 'public';

/** Returns whether the cached reply with this key is one that all but admins get. */
export function isPublicReply(key: string): boolean {
  return key.startsWith(`${PUBLIC} `);
}
