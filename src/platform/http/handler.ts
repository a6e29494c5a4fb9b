import type { Request, RequestHandler, Response } from 'express';
import { GUEST, type Actor, type Ctx, type Deps } from '../../access/context';
import { InvalidResource, NotFound, PreconditionFailed, type FieldErrors } from '../../errors/errors';
import { authorizeKnock } from '../../access/policy';
import type { Tx, TransactionHooks } from '../database/transaction';
import { runOnce, type Reply, type ResultLog } from '../idempotency/run-once';
import { parseListQuery, type ListQuery } from '../query-builder/list-query';
import type { Page } from '../query-builder/page';
import type { Endpoint, EndpointRequest } from './endpoint';
import { envelope, pagingHeaders } from './envelope';
import { fieldErrors } from './field-errors';
import { readIdempotencyKey, requestKeyOf } from './idempotency-key';
import { earlyBody } from './multipart-preface';
import { preconditionHooks, type RecordReader } from './if-match';
import { findIgnoredParameters, ignoredParametersHeader, prefersStrict } from './ignored-parameters';
import { isRecord, mergeParameters, parseBrackets, type Parameters } from './parameters';
import { etagOf, readyReply, sendReady } from './ready-reply';
import type { ReplyCache, ReplySource } from './reply-cache';
import { nameRoute } from './request-log';
import { discardBody, discardUpload, isMultipart, receiveMultipart, type UploadedFile } from './upload';

/** Finds out who holds a token. @throws InvalidApiKey when nobody does */
export type Authenticate = (db: Deps['db'], token: string) => Promise<Actor>;

/** What all endpoints of one application share. */
export interface App {
  deps: Deps;
  authenticate: Authenticate;
  /** The application's own cache of a source's replies. */
  cacheOf: (source: ReplySource) => ReplyCache;
}

/** A request as its endpoint is given it, and what of it nobody reads. */
interface ReadRequest extends EndpointRequest<never, never, never> {
  /** Dotted paths of parameters. */
  ignored: string[];
}

/**
 * The one straight line of every request: who calls, may they knock, what do they ask, the answer. The order of
 * refusals is the behaviour reference's (1.2): token, permission, existence, permission on the record, input, state.
 */
export function endpointHandler(
  endpoint: Endpoint,
  app: App,
  reader: RecordReader | null = null,
): RequestHandler {
  const cache = endpoint.cache === undefined ? null : app.cacheOf(endpoint.cache);
  const respond = async (request: Request, response: Response): Promise<void> => {
    nameRoute(response, request.baseUrl + endpoint.path);
    const query = parseBrackets(queryString(request.originalUrl));
    const early = mergeParameters(query, earlyBody(request), {});
    const ctx: Ctx = {
      ...app.deps,
      actor: await actorOf(request, early, endpoint, app),
      orderToken: textOrNull(request.header('x-order-token')) ?? textOrNull(early['order_token']),
      requestId: String(response.getHeader('x-request-id') ?? ''),
      clientAddress: request.ip ?? '',
    };
    authorizeKnock(endpoint.route, ctx.actor);
    const idempotencyKey = readIdempotencyKey(request, endpoint, ctx);
    const { fields, file } = await receiveMultipart(request, response, endpoint.upload ?? null);
    const body: unknown = isMultipart(request) ? fields : request.body;
    const answer = async (caller: Ctx, log?: TransactionHooks): Promise<Answer> => {
      const hooks = hooksOf(request, caller, { writer: endpoint, reader, log });
      const ctx = hooks === undefined ? caller : { ...caller, transactionHooks: hooks };
      const given = mergeParameters(query, body, {});
      const isStrict = prefersStrict(request.header('prefer'));
      const asked = await readRequest(endpoint, ctx, { given, path: request.params, file, isStrict });
      const value = await endpoint.handle(ctx, asked);
      return answerOf(endpoint, asked, { value, url: request.originalUrl });
    };
    try {
      const key = cacheKey(request, ctx, early);
      if (idempotencyKey !== null) {
        const requestKey = await requestKeyOf(request, idempotencyKey, { query, body, file });
        const { reply, isReplayed } = await runOnce(ctx, requestKey, async (log) =>
          replyOf(endpoint, await orDone(endpoint, log, () => answer(ctx, log))),
        );
        if (isReplayed) response.set('Idempotency-Replayed', 'true');
        sendReply(response, reply);
      } else if (cache === null || key === null) {
        const reply = replyOf(endpoint, await answer(ctx));
        if (endpoint.method === 'get' && reply.body !== null) response.set('ETag', etagOf(reply.body));
        sendReply(response, reply);
      } else {
        const ready = await cache.reply(ctx, key, async () => {
          const { body: value, headers } = await answer(ctx);
          return readyReply(value, headers);
        });
        await sendReady(request, response, ready);
      }
    } finally {
      await discardUpload(file);
    }
  };
  return async (request, response) => {
    try {
      await respond(request, response);
    } catch (error) {
      await discardBody(request);
      throw error;
    }
  };
}

function queryString(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at + 1);
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

async function actorOf(
  request: Request,
  parameters: Parameters,
  endpoint: Endpoint,
  { deps, authenticate }: App,
): Promise<Actor> {
  // At POST /sessions a parameter `token` means nothing (behaviour reference 3.1, 12).
  const fallback = endpoint.route === 'post /sessions' ? null : textOrNull(parameters['token']);
  const token = textOrNull(request.header('x-store-token')) ?? fallback;
  return token === null ? GUEST : authenticate(deps.db, token);
}

async function readRequest(
  endpoint: Endpoint,
  ctx: Ctx,
  sources: { given: Parameters; path: Parameters; file: UploadedFile | null; isStrict: boolean },
): Promise<ReadRequest> {
  const parameters = mergeParameters(sources.given, {}, sources.path);
  const params = endpoint.params?.safeParse(sources.path);
  if (params?.success === false) throw new NotFound();
  const wrapper =
    endpoint.input !== undefined && 'wrapper' in endpoint.input ? String(endpoint.input.wrapper) : undefined;
  const input = endpoint.input?.safeParse(parameters);
  const query = endpoint.query?.safeParse(parameters);
  const issues = [...(input?.error?.issues ?? []), ...(query?.error?.issues ?? [])];
  const isAdmin = ctx.actor.kind === 'admin';
  const list = parseListQuery(parameters, endpoint.search ?? NO_SEARCH, isAdmin);
  const ignored = findIgnoredParameters(endpoint, sources.given, { isAdmin, inPath: sources.path });
  const unknown = sources.isStrict ? unknownParameters(ignored, list.ignored, parameters) : {};
  if (issues.length > 0 || Object.keys(unknown).length > 0) {
    await endpoint.subject?.(ctx, params?.data);
    throw new InvalidResource({ ...unknown, ...fieldErrors(issues, wrapper) });
  }
  return {
    // Each was checked against the schema the handler's types come from; see `endpoint`.
    params: params?.data as never,
    query: query?.data as never,
    input: input?.data as never,
    list,
    file: sources.file,
    ignored,
  };
}

/** What a strict request is refused for. */
function unknownParameters(
  ignored: readonly string[],
  conditions: readonly string[],
  { q }: Parameters,
): FieldErrors {
  const paths = conditions.map((name) => (isRecord(q) && name in q ? `q.${name}` : 'q.s'));
  return Object.fromEntries([...ignored, ...paths].map((path) => [path, ['is not a known parameter']]));
}

const NO_SEARCH = { table: '', attributes: {}, baseOrder: [] };

/** What is sent: the body (undefined for none) and the headers that tell more about it. */
interface Answer {
  body: unknown;
  headers: Record<string, string>;
}

function answerOf(
  endpoint: Endpoint,
  asked: { list: ListQuery; ignored: readonly string[] },
  { value, url }: { value: unknown; url: string },
): Answer {
  const headers: Record<string, string> = {
    'Cache-Control': endpoint.private ? 'private, no-store' : 'no-cache',
  };
  if (endpoint.search !== undefined && asked.list.ignored.length > 0) {
    headers['X-Ignored-Conditions'] = ignoredHeader(asked.list.ignored);
  }
  if (asked.ignored.length > 0) headers['X-Ignored-Parameters'] = ignoredParametersHeader(asked.ignored);
  if (endpoint.paged === undefined || value === undefined) return { body: value, headers };
  const page = value as Page<unknown>; // what a paged endpoint's handler returns, by its type
  return { body: envelope(endpoint.paged, page), headers: { ...headers, ...pagingHeaders(page, url) } };
}

function replyOf(endpoint: Endpoint, { body, headers }: Answer): Reply {
  if (endpoint.status === 204 || body === undefined) return { status: 204, headers, body: null };
  return { status: endpoint.status, headers, body: JSON.stringify(body) };
}

function sendReply(response: Response, { status, headers, body }: Reply): void {
  response.status(status).set(headers);
  if (body === null) response.end();
  else response.set('Content-Type', 'application/json; charset=utf-8').send(body);
}

/** What the request's headers add to its transactions. */
function hooksOf(
  request: Request,
  ctx: Ctx,
  {
    writer,
    reader,
    log,
  }: { writer: Endpoint; reader: RecordReader | null; log: TransactionHooks | undefined },
): TransactionHooks | undefined {
  const ifMatch = request.header('if-match');
  if (ifMatch === undefined || (writer.method !== 'put' && writer.method !== 'delete')) return log;
  if (reader === null)
    throw new PreconditionFailed('If-Match is not known here: this is no record with an ETag.');
  const path = reader.params(request.params);
  const currentEtag = async (tx: Tx): Promise<string> => {
    const asReader = { ...ctx, db: tx };
    const sources = { given: {}, path, file: null, isStrict: false };
    const asked = await readRequest(reader.endpoint, asReader, sources);
    const value = await reader.endpoint.handle(asReader, asked);
    return etagOf(JSON.stringify(value));
  };
  return preconditionHooks(ifMatch, currentEtag, log);
}

/**
 * Answers a repeated request that has removed its record already, and so does not find it before it comes to what was
 * committed: it is done.
 */
async function orDone(endpoint: Endpoint, log: ResultLog, answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    const isDone = error instanceof NotFound && log.isBehind() && endpoint.status === 204;
    if (isDone) return { body: undefined, headers: {} };
    throw error;
  }
}

/** What tells one cached reply from another; null for requests whose reply must not be kept. */
function cacheKey(request: Request, ctx: Ctx, parameters: Parameters): string | null {
  const hasBody = request.body !== undefined || isMultipart(request);
  const isStrict = prefersStrict(request.header('prefer'));
  if (hasBody || isStrict || 'token' in parameters || request.originalUrl.length > 2000) return null;
  return `${ctx.actor.kind === 'admin' ? 'admin' : 'shopper'} ${request.originalUrl}`;
}

/** Names come from the client: only what a header may hold, and not without end. */
function ignoredHeader(names: readonly string[]): string {
  return names
    .map((name) => name.replace(/[^\w.-]/g, '?'))
    .join(', ')
    .slice(0, 1000);
}
