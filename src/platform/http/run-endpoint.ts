import type { Request } from 'express';
import type { Tx, TransactionHooks } from '../database/transaction';
import { PreconditionFailed } from '../errors';
import type { ResultLog } from '../idempotency/run-once';
import { mergeParameters } from '../parameters';
import { readFeedHorizon } from '../query-builder/feed-page';
import type { ListQuery } from '../query-builder/list-query';
import type { Handling, Received, RequestContext, RequestFacts } from './application';
import { getBodyText } from './body-parsers';
import { buildPreconditionHooks } from './if-match';
import { explainIgnoredParameters, findIgnoredParameters, prefersStrict } from './ignored-parameters';
import { toJsonText } from './json-text';
import { readRequest, type ReadRequest } from './read-request';
import { calculateEtag, findVersion } from './ready-reply';
import { buildAnswer, type Answer } from './reply';
import { noteRequest } from './request-notes';

/** Runs the endpoint. `log` has what an earlier attempt at the same request committed. */
export async function answer<Ctx extends RequestContext, Access extends string>(
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
  const read = {
    ...readAs,
    list: await openFeed(ctx, readAs),
    ...(endpoint.isSigned === true && { signed }),
  };
  const value = await app.awaitTurn(endpoint, () => endpoint.handle(ctx, read));
  const { credentials } = app;
  const sent = { value, url: request.originalUrl, isAdmin: app.isAdmin(ctx), credentials };
  return buildAnswer(endpoint, read, sent);
}

/** Adds the position in the feed to a list, with the horizon of the page. */
async function openFeed({ db }: RequestContext, { list, feedStart }: ReadRequest): Promise<ListQuery> {
  if (feedStart === null) return list;
  const ignored = list.sorts.length === 0 ? list.ignored : [...list.ignored, 's'];
  return { ...list, ignored, feed: { after: feedStart, before: await readFeedHorizon(db) } };
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
    const value = await reader.endpoint.handle(asReader, readAs);
    return calculateEtag(toJsonText(value), findVersion(reader.endpoint, value));
  };
  return buildPreconditionHooks(ifMatch, currentEtag, log);
}

export function readPathParameters(request: Request): RequestFacts['pathParameter'] {
  return (name) => toTextOrNull(request.params[name]);
}

export function toTextOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
