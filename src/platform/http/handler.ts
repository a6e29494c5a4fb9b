import type { Request, RequestHandler, Response } from 'express';
import { GUEST, type Actor, type Ctx, type Deps } from '../../context';
import { InvalidResource, NotFound } from '../../errors';
import { authorizeKnock } from '../../policy';
import { parseListQuery, type ListQuery } from '../query-builder/list-query';
import type { Page } from '../query-builder/page';
import type { Endpoint, EndpointRequest } from './endpoint';
import { envelope, pagingHeaders } from './envelope';
import { fieldErrors } from './field-errors';
import { mergeParameters, parseBrackets, type Parameters } from './parameters';
import { isReadyReply } from './ready-reply';
import { nameRoute } from './request-log';
import { discardUpload, isMultipart, receiveMultipart, type UploadedFile } from './upload';

/** Finds out who holds a token. @throws InvalidApiKey when nobody does */
export type Authenticate = (db: Deps['db'], token: string) => Promise<Actor>;

type AnyRequest = EndpointRequest<never, never, never>;

/**
 * The one straight line of every request: who calls, may they knock, what do they ask, the answer. The order of
 * refusals is the behaviour reference's (1.2): token, permission, existence, permission on the record, input, state.
 */
export function endpointHandler(endpoint: Endpoint, deps: Deps, authenticate: Authenticate): RequestHandler {
  return async (request, response) => {
    nameRoute(response, request.baseUrl + endpoint.path);
    const query = parseBrackets(queryString(request.originalUrl));
    const early = mergeParameters(query, request.body, {});
    const ctx: Ctx = {
      ...deps,
      actor: await actorOf(request, early, endpoint, { deps, authenticate }),
      orderToken: textOrNull(request.header('x-order-token')) ?? textOrNull(early['order_token']),
      requestId: String(response.getHeader('x-request-id') ?? ''),
      clientAddress: request.ip ?? '',
    };
    authorizeKnock(endpoint.route, ctx.actor);
    const { fields, file } = await receiveMultipart(request, response, endpoint.upload ?? null);
    try {
      const body: unknown = isMultipart(request) ? fields : request.body;
      const parameters = mergeParameters(query, body, { ...request.params });
      const asked = await readRequest(endpoint, ctx, { parameters, path: request.params, file });
      send(request, response, { endpoint, asked, answer: await endpoint.handle(ctx, asked) });
    } finally {
      await discardUpload(file);
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
  tools: { deps: Deps; authenticate: Authenticate },
): Promise<Actor> {
  // At POST /sessions a parameter `token` means nothing (behaviour reference 3.1, 12).
  const fallback = endpoint.route === 'post /sessions' ? null : textOrNull(parameters['token']);
  const token = textOrNull(request.header('x-store-token')) ?? fallback;
  return token === null ? GUEST : tools.authenticate(tools.deps.db, token);
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

function send(
  request: Request,
  response: Response,
  done: { endpoint: Endpoint; asked: { list: ListQuery }; answer: unknown },
): void {
  const { endpoint, asked, answer } = done;
  response.setHeader('Cache-Control', endpoint.private ? 'private, no-store' : 'no-cache');
  if (endpoint.search !== undefined && asked.list.ignored.length > 0) {
    response.setHeader('X-Ignored-Conditions', ignoredHeader(asked.list.ignored));
  }
  if (endpoint.status === 204 || answer === undefined) {
    response.status(204).end();
    return;
  }
  if (isReadyReply(answer)) {
    response
      .set({ ...answer.headers, ETag: answer.etag })
      .type('json')
      .status(endpoint.status)
      .send(answer.body);
    return;
  }
  if (endpoint.paged === undefined) {
    response.status(endpoint.status).json(answer);
    return;
  }
  const page = answer as Page<unknown>; // what a paged endpoint's handler returns, by its type
  response.set(pagingHeaders(page, request.originalUrl)).status(200).json(envelope(endpoint.paged, page));
}

/** Names come from the client: only what a header may hold, and not without end. */
function ignoredHeader(names: readonly string[]): string {
  return names
    .map((name) => name.replace(/[^\w.-]/g, '?'))
    .join(', ')
    .slice(0, 1000);
}
