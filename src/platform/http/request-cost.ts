import type { Request } from 'express';
import { isScalar, toList, type Parameters } from '../parameters';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '../query-builder/list-query';
import type { EndpointDescription } from './endpoint';

/** The bytes of a URL and a body that cost one point, because they are parsed, checked and compared. */
const BYTES = 250;
/** The records of a page that cost one point, beyond those of a page of the default size. */
const RECORDS = 4;
/** Each is counted over all matching records. */
const FACET = 5;
/** The bytes of a reply that cost one point, because they are handed to the operating system. */
const REPLY_BYTES = 50_000;

const COSTS = { read: 2, list: 5, file: 20, write: 10 };

/**
 * Calculates what a request costs, in points of about a millisecond of a processor. It depends on the request only and not on
 * how long it takes, so that no caller pays for the load that others cause.
 */
export function calculateCost(
  { method, paged, file }: Pick<EndpointDescription, 'method' | 'paged' | 'file'>,
  request: Pick<Request, 'originalUrl' | 'headers'>,
  parameters: Parameters,
): number {
  const length = request.originalUrl.length + (Number(request.headers['content-length']) || 0);
  const kind =
    method !== 'get' ? 'write' : file !== undefined ? 'file' : paged !== undefined ? 'list' : 'read';
  const contents = kind === 'list' ? calculatePage(parameters) : 0;
  return COSTS[kind] + contents + Math.floor(length / BYTES);
}

function calculatePage({ per_page, facets }: Parameters): number {
  const records = Math.min(MAX_PER_PAGE, Number(isScalar(per_page) ? per_page : 0) || 0);
  const names = typeof facets === 'string' ? facets.split(',') : (toList(facets) ?? []);
  return Math.max(0, Math.ceil((records - DEFAULT_PER_PAGE) / RECORDS)) + FACET * Math.min(names.length, 10);
}

/** Calculates what it costs to send a reply, also one from the cache. */
export function calculateReplyCost(bytes: number): number {
  return Math.floor(bytes / REPLY_BYTES);
}
