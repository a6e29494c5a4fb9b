import type { Response } from 'express';
import type { Reply } from '../idempotency/run-once';
import type { ListQuery } from '../query-builder/list-query';
import type { Page } from '../query-builder/page';
import type { CredentialNames } from './credentials';
import type { EndpointDescription } from './endpoint';
import { buildEnvelope, buildPagingHeaders } from './envelope';
import { toJsonText } from './json-text';
import { buildIgnoredParametersHeader } from './ignored-parameters';

/** What is sent: the body (undefined for none) and the headers that tell more about it. */
export interface Answer {
  body: unknown;
  headers: Record<string, string>;
}

/** The `Cache-Control` of replies that contain nothing private. */
export const OPEN_REPLY = 'no-cache';

/** Builds the answer from what the endpoint's `handle` returned. */
export function buildAnswer(
  endpoint: EndpointDescription,
  request: { list: ListQuery; ignored: readonly string[] },
  {
    value,
    url,
    isAdmin,
    credentials,
  }: { value: unknown; url: string; isAdmin: boolean; credentials: CredentialNames },
): Answer {
  // What an admin sees must not be stored for others.
  const open = isAdmin ? 'private, no-cache' : OPEN_REPLY;
  const headers: Record<string, string> = {
    'Cache-Control': endpoint.private ? 'private, no-store' : open,
  };
  if (endpoint.search !== undefined && request.list.ignored.length > 0) {
    headers['X-Ignored-Conditions'] = buildIgnoredConditionsHeader(request.list.ignored);
  }
  if (request.ignored.length > 0)
    headers['X-Ignored-Parameters'] = buildIgnoredParametersHeader(request.ignored);
  if (endpoint.paged === undefined || value === undefined) return { body: value, headers };
  const page = value as Page<unknown>; // what a paged endpoint's handler returns, by its type
  return {
    body: buildEnvelope(endpoint.paged, page),
    headers: { ...headers, ...buildPagingHeaders(page, url, credentials.parameters) },
  };
}

/** Serializes an answer. */
export function serializeAnswer(endpoint: EndpointDescription, { body, headers }: Answer): Reply {
  if (endpoint.status === 204 || body === undefined) return { status: 204, headers, body: null };
  return { status: endpoint.status, headers, body: toJsonText(body) };
}

/** Sends a serialized reply. */
export function sendReply(response: Response, { status, headers, body }: Reply): void {
  response.status(status).set(headers);
  if (body === null) response.end();
  else sendJson(response, body);
}

/** Sends JSON text. Express would add an `ETag` of its own, which no `If-Match` knows. */
export function sendJson(response: Response, text: string): void {
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** Names come from the client: only what a header may hold, and not without end. */
function buildIgnoredConditionsHeader(names: readonly string[]): string {
  return names
    .map((name) => name.replace(/[^\w.-]/g, '?'))
    .join(', ')
    .slice(0, 1000);
}
