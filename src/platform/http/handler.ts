import type { Request, RequestHandler, Response } from 'express';
import type { Ctx, Deps } from '../../sales/context';
import { GUEST, type Actor } from '../../access/actor';
import { InvalidResource, NotFound } from '../errors';
import { authorizeRoute } from '../../access/policy';
import { parseListQuery, type ListQuery } from '../query-builder/list-query';
import type { Page } from '../query-builder/page';
import type { Endpoint, EndpointRequest } from './endpoint';
import { envelope, pagingHeaders } from './envelope';
import { fieldErrors } from './field-errors';
import { earlyBody } from './multipart-preface';
import { mergeParameters, parseBrackets, type Parameters } from './parameters';
import { readyReply, sendReady } from './ready-reply';
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

type AnyRequest = EndpointRequest<never, never, never>;

/**
 * The one straight line of every request: who calls, may they knock, what do they ask, the answer. The order of
 * refusals is the behaviour reference's (1.2): token, permission, existence, permission on the record, input, state.
 */
export function endpointHandler(endpoint: Endpoint, app: App): RequestHandler {
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
    authorizeRoute(endpoint.route, ctx.actor);
    const { fields, file } = await receiveMultipart(request, response, endpoint.upload ?? null);
    const answer = async (): Promise<Answer> => {
      try {
        const body: unknown = isMultipart(request) ? fields : request.body;
        const parameters = mergeParameters(query, body, { ...request.params });
        const asked = await readRequest(endpoint, ctx, { parameters, path: request.params, file });
        const value = await endpoint.handle(ctx, asked);
        return answerOf(endpoint, asked, { value, url: request.originalUrl });
      } finally {
        await discardUpload(file);
      }
    };
    const key = cacheKey(request, ctx, early);
    if (cache === null || key === null) {
      sendJson(response, endpoint, await answer());
      return;
    }
    const ready = await cache.reply(ctx, key, async () => {
      const { body: value, headers } = await answer();
      return readyReply(value, headers);
    });
    await sendReady(request, response, ready);
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
  sources: { parameters: Parameters; path: unknown; file: UploadedFile | null },
): Promise<AnyRequest> {
  const params = endpoint.params?.safeParse(sources.path);
  if (params?.success === false) throw new NotFound();
  const wrapper =
    endpoint.input !== undefined && 'wrapper' in endpoint.input ? String(endpoint.input.wrapper) : undefined;
  const input = endpoint.input?.safeParse(sources.parameters);
  const query = endpoint.query?.safeParse(sources.parameters);
  const issues = [...(input?.error?.issues ?? []), ...(query?.error?.issues ?? [])];
  if (issues.length > 0) {
    await endpoint.subject?.(ctx, params?.data);
    throw new InvalidResource(fieldErrors(issues, wrapper));
  }
  const search = endpoint.search ?? NO_SEARCH;
  return {
    // Each was checked against the schema the handler's types come from; see `endpoint`.
    params: params?.data as never,
    query: query?.data as never,
    input: input?.data as never,
    list: parseListQuery(sources.parameters, search, ctx.actor.kind === 'admin'),
    file: sources.file,
  };
}

const NO_SEARCH = { table: '', attributes: {}, baseOrder: [] };

/** What is sent: the body (undefined for none) and the headers that tell more about it. */
interface Answer {
  body: unknown;
  headers: Record<string, string>;
}

function answerOf(
  endpoint: Endpoint,
  asked: { list: ListQuery },
  { value, url }: { value: unknown; url: string },
): Answer {
  const headers: Record<string, string> = {
    'Cache-Control': endpoint.private ? 'private, no-store' : 'no-cache',
  };
  if (endpoint.search !== undefined && asked.list.ignored.length > 0) {
    headers['X-Ignored-Conditions'] = ignoredHeader(asked.list.ignored);
  }
  if (endpoint.paged === undefined || value === undefined) return { body: value, headers };
  const page = value as Page<unknown>; // what a paged endpoint's handler returns, by its type
  return { body: envelope(endpoint.paged, page), headers: { ...headers, ...pagingHeaders(page, url) } };
}

function sendJson(response: Response, endpoint: Endpoint, { body, headers }: Answer): void {
  response.set(headers);
  if (endpoint.status === 204 || body === undefined) response.status(204).end();
  else response.status(endpoint.status).json(body);
}

/** What tells one cached reply from another; null for requests whose reply must not be kept. */
function cacheKey(request: Request, ctx: Ctx, parameters: Parameters): string | null {
  const hasBody = request.body !== undefined || isMultipart(request);
  if (hasBody || 'token' in parameters || request.originalUrl.length > 2000) return null;
  return `${ctx.actor.kind === 'admin' ? 'admin' : 'shopper'} ${request.originalUrl}`;
}

/** Names come from the client: only what a header may hold, and not without end. */
function ignoredHeader(names: readonly string[]): string {
  return names
    .map((name) => name.replace(/[^\w.-]/g, '?'))
    .join(', ')
    .slice(0, 1000);
}
