import type { Request, RequestHandler, Response } from 'express';
import { NotFound, TooLarge } from '../errors';
import { runOnce, type ResultLog } from '../idempotency/run-once';
import { mergeParameters, parseQuery, type Parameters } from '../parameters';
import type { Handling, Received, RequestContext, RequestFacts } from './application';
import { getKeyCount } from './body-parsers';
import { buildCacheKey, isFeedRequest } from './cache-key';
import type { EndpointDescription, FileReply } from './endpoint';
import { readIdempotencyKey, readRequestKey } from './idempotency-key';
import { getEarlyBody } from './multipart-preface';
import { buildReadyReply, findVersion, sendReady, type ReadyReply } from './ready-reply';
import { OPEN_REPLY, sendReply, serializeAnswer, type Answer } from './reply';
import type { ReplyCache } from './reply-cache';
import { calculateCost, calculateReplyCost } from './request-cost';
import { nameRoute } from './request-log';
import { createTurn, type Turn } from './request-turn';
import { answer, readPathParameters, toTextOrNull } from './run-endpoint';
import { sendFile } from './send-file';
import { refuseUnreadBody } from './unread-body';
import {
  discardBody,
  discardUpload,
  isMultipart,
  MAX_UPLOAD_BYTES,
  receiveMultipart,
  type AcceptedUpload,
} from './upload';

/** The keys and list entries of a body. */
const MOST_KEYS = 5_000;
const KEYS = `A request body has at most ${MOST_KEYS} keys and list entries.`;

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
    const query = parseQuery(
      queryString(request.originalUrl),
      request.method === 'GET' || request.method === 'HEAD',
    );
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
    if (!isAdmin) ctx.noteCost = (points) => turn.spend(points);
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

function readUpload({ upload, maxUploadBytes }: EndpointDescription): AcceptedUpload | null {
  return upload === undefined ? null : { part: upload, maxBytes: maxUploadBytes ?? MAX_UPLOAD_BYTES };
}

function queryString(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at + 1);
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
  } else
    await sendReady(received.request, response, buildReadyReply(body, headers, findVersion(endpoint, body)));
}

async function respondCached<Ctx extends RequestContext, Access extends string>(
  response: Response,
  handling: Handling<Ctx, Access>,
  { received, cache, key }: { received: Received<Ctx>; cache: ReplyCache<Ctx>; key: string },
): Promise<void> {
  const { readCacheable } = handling.app;
  const produce = async (ctx: Ctx) => {
    const { body, headers } = await answer(handling, { ...received, ctx });
    // Shoppers change no record whose replies are cached.
    const version = handling.app.isAdmin(ctx) ? findVersion(handling.endpoint, body) : undefined;
    return buildReadyReply(body, headers, version);
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
