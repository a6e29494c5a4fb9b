import type { RequestHandler } from 'express';
import { getEarlyBody } from './multipart-preface';

/** Removes trailing slashes and one `.json` from the path: `/orders/R1.json` and `/orders/R1/` become `/orders/R1`. */
export const stripSuffix: RequestHandler = (request, _response, next) => {
  const [path = '', query] = request.url.split(/\?(.*)/s, 2);
  // Without the lookbehind, each slash of a long run within the path is compared with all that follow it.
  const stripped = path.replace(/(?<!\/)\/+$/, '').replace(/\.json$/, '') || '/';
  if (stripped !== path) request.url = query === undefined ? stripped : `${stripped}?${query}`;
  next();
};

/**
 * Creates the middleware that makes one segment of the rest of a path below `prefix`, for names with slashes in them.
 * Endpoints have a fixed number of segments.
 */
export function joinSegmentsBelow(prefix: string): RequestHandler {
  return (request, _response, next) => {
    const [path = '', query] = request.url.split(/\?(.*)/s, 2);
    if (path.startsWith(prefix)) {
      const joined = prefix + path.slice(prefix.length).replaceAll('/', '%2F');
      request.url = query === undefined ? joined : `${joined}?${query}`;
    }
    next();
  };
}

/**
 * Lets `If-None-Match` be compared also beside `Cache-Control: no-cache`, which `fetch` sends with it. The latter is for caches
 * (RFC 9111, 5.2.1.4), but Express would compare nothing.
 */
export const compareAlways: RequestHandler = ({ headers }, _response, next) => {
  if (headers['if-none-match'] !== undefined) delete headers['cache-control'];
  next();
};

const OVERRIDES = new Set(['PUT', 'PATCH', 'DELETE']);

/**
 * Overrides the method of a POST by `_method` in the body or X-HTTP-Method-Override, because HTML forms only support
 * POST.
 */
export const overrideMethod: RequestHandler = (request, _response, next) => {
  if (request.method === 'POST') {
    const named = request.header('x-http-method-override') ?? getEarlyBody(request)['_method'];
    const method = typeof named === 'string' ? named.toUpperCase() : '';
    if (OVERRIDES.has(method)) request.method = method;
  }
  next();
};
