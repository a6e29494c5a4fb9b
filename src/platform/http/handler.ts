import type { Request, RequestHandler, Response } from 'express';
import { InvalidResource, NotFound } from '../errors';
import { parseListQuery, type ListQuery } from '../query-builder/list-query';
import type { Page } from '../query-builder/page';
import type { Endpoint, EndpointDescription, EndpointRequest, Route } from './endpoint';
import { envelope, pagingHeaders } from './envelope';
import { fieldErrors } from './field-errors';
import { earlyBody } from './multipart-preface';
import { mergeParameters, parseBrackets, type Parameters } from './parameters';
import { readyReply, sendReady } from './ready-reply';
import type { ReplyCache, ReplySource } from './reply-cache';
import { nameRoute } from './request-log';
import { discardBody, discardUpload, isMultipart, receiveMultipart, type UploadedFile } from './upload';

/** The part of an application's context that the handler needs. */
export interface RequestContext {
  now: () => Date;
}

/** The data from which an application creates the context of a request. */
export interface RequestFacts {
  route: Route;
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
  /** Identifies the actor and creates the context. @throws an error if the credentials are invalid */
  createContext: (request: RequestFacts) => Promise<Ctx>;
  /** Authorizes the call before any record is loaded. @throws an error if the actor may not call endpoints with this access */
  authorize: (access: Access, ctx: Ctx) => void;
  /** Returns whether the actor is an admin, who may search by admin attributes. Cached replies of admins are separate. */
  isAdmin: (ctx: Ctx) => boolean;
  /** Returns the application's cache for a source. */
  cacheOf: (source: ReplySource<Ctx>) => ReplyCache<Ctx>;
}

type AnyRequest = EndpointRequest<never, never, never>;

/**
 * Creates the request handler of an endpoint. It identifies the actor, authorizes the call, reads the request and replies.
 * Checks run in the order of the behaviour reference (1.2): token, permission, existence, permission on the record, input,
 * state.
 */
export function endpointHandler<Ctx extends RequestContext, Access extends string>(
  endpoint: Endpoint<Ctx, Access>,
  app: Application<Ctx, Access>,
): RequestHandler {
  const cache = endpoint.cache === undefined ? null : app.cacheOf(endpoint.cache);
  const respond = async (request: Request, response: Response): Promise<void> => {
    nameRoute(response, request.baseUrl + endpoint.path);
    const query = parseBrackets(queryString(request.originalUrl));
    const early = mergeParameters(query, earlyBody(request), {});
    const ctx = await app.createContext({
      route: endpoint.route,
      requestId: String(response.getHeader('x-request-id') ?? ''),
      clientAddress: request.ip ?? '',
      header: (name) => textOrNull(request.header(name)),
      parameter: (name) => textOrNull(early[name]),
    });
    app.authorize(endpoint.access, ctx);
    const { fields, file } = await receiveMultipart(request, response, endpoint.upload ?? null);
    const answer = async (): Promise<Answer> => {
      try {
        const body: unknown = isMultipart(request) ? fields : request.body;
        const parameters = mergeParameters(query, body, { ...request.params });
        const admin = app.isAdmin(ctx);
        const asked = await readRequest(endpoint, ctx, { parameters, path: request.params, file, admin });
        const value = await endpoint.handle(ctx, asked);
        return answerOf(endpoint, asked, { value, url: request.originalUrl });
      } finally {
        await discardUpload(file);
      }
    };
    const key = cacheKey(request, app.isAdmin(ctx), early);
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

async function readRequest<Ctx, Access extends string>(
  endpoint: Endpoint<Ctx, Access>,
  ctx: Ctx,
  sources: { parameters: Parameters; path: unknown; file: UploadedFile | null; admin: boolean },
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
    // Each was validated by the schema that defines the handler's types; see `endpoint`.
    params: params?.data as never,
    query: query?.data as never,
    input: input?.data as never,
    list: parseListQuery(sources.parameters, search, sources.admin),
    file: sources.file,
  };
}

const NO_SEARCH = { table: '', attributes: {}, baseOrder: [] };

/** The body (undefined for none) and the headers of a reply. */
interface Answer {
  body: unknown;
  headers: Record<string, string>;
}

function answerOf(
  endpoint: EndpointDescription,
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
  const page = value as Page<unknown>; // the type that handlers of paged endpoints return
  return { body: envelope(endpoint.paged, page), headers: { ...headers, ...pagingHeaders(page, url) } };
}

function sendJson(response: Response, endpoint: EndpointDescription, { body, headers }: Answer): void {
  response.set(headers);
  if (endpoint.status === 204 || body === undefined) response.status(204).end();
  else response.status(endpoint.status).json(body);
}

/** Returns the cache key of a request; null if its reply must not be cached. */
function cacheKey(request: Request, admin: boolean, parameters: Parameters): string | null {
  const hasBody = request.body !== undefined || isMultipart(request);
  if (hasBody || 'token' in parameters || request.originalUrl.length > 2000) return null;
  return `${admin ? 'admin' : 'shopper'} ${request.originalUrl}`;
}

/** Builds the header X-Ignored-Conditions. Client-supplied names are escaped and shortened. */
function ignoredHeader(names: readonly string[]): string {
  return names
    .map((name) => name.replace(/[^\w.-]/g, '?'))
    .join(', ')
    .slice(0, 1000);
}
