import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';

const ACCEPTABLE_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Gives every request an id, the caller's X-Request-Id where it is a plain word, else a new one, and answers it in
 * the same header. When the reply is out it writes one line: id, method, route pattern, status and duration.
 * The pattern, not the URL: URLs may hold tokens.
 */
export function logRequests(log: Logger): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const given = request.header('x-request-id') ?? '';
    const request_id = ACCEPTABLE_ID.test(given) ? given : randomUUID();
    const { method } = request;
    response.setHeader('X-Request-Id', request_id);
    response.once('close', () => {
      const line = {
        request_id,
        method,
        route: findRoutePattern(request, response),
        status: response.statusCode,
        duration_ms: Math.round((performance.now() - started) * 10) / 10,
        ...(!response.writableFinished && { aborted: true }),
      };
      if (response.statusCode >= 500) log.warn(line, 'request');
      else log.info(line, 'request');
    });
    next();
  };
}

/**
 * Tells the request log which route answers. Only the route itself knows: when an error leaves a mounted router,
 * Express forgets where the router was mounted.
 */
export function nameRoute(response: Response, pattern: string): void {
  response.locals['route'] = pattern;
}

function findRoutePattern(request: Request, response: Response): string {
  const named: unknown = response.locals['route'];
  if (typeof named === 'string') return named;
  const route: unknown = request.route;
  const hasPath = typeof route === 'object' && route !== null && 'path' in route;
  return hasPath && typeof route.path === 'string' ? request.baseUrl + route.path : '-';
}
