import type { Request } from 'express';
import type { EndpointDescription } from './endpoint';

/** The bytes of a URL and a body that cost one point, because they are parsed, checked and compared. */
const BYTES = 250;

const COSTS = { read: 2, list: 5, file: 20, write: 10 };

/**
 * Calculates what a request costs, in points of about a millisecond of a processor. It depends on the request only and not on
 * how long it takes, so that no caller pays for the load that others cause.
 */
export function calculateCost(
  { method, paged, file }: Pick<EndpointDescription, 'method' | 'paged' | 'file'>,
  request: Pick<Request, 'originalUrl' | 'headers'>,
): number {
  const length = request.originalUrl.length + (Number(request.headers['content-length']) || 0);
  const kind =
    method !== 'get' ? 'write' : file !== undefined ? 'file' : paged !== undefined ? 'list' : 'read';
  return COSTS[kind] + Math.floor(length / BYTES);
}
