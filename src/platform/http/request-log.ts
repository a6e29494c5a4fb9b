import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { observeRequest } from '../metrics/metrics';
import { parseTraceparent, runInTrace } from '../trace';
import { startRequestSpan } from '../tracing';

const ACCEPTABLE_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Creates the middleware that logs requests. Each request gets an id, which is also returned in X-Request-Id: the id in
 * that header of the request if it is a plain word, otherwise a new one. After the reply, one line is logged: id,
 * trace id of `traceparent`, method, route pattern, status, duration and the code of an error. The URL is not logged, because it may contain tokens.
 */
export function logRequests(log: Logger): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    const requested = request.header('x-request-id') ?? '';
    const request_id = ACCEPTABLE_ID.test(requested) ? requested : randomUUID();
    const { method } = request;
    const traceparent = request.header('traceparent');
    const span = startRequestSpan(method, traceparent);
    const trace_id = span?.trace_id ?? parseTraceparent(traceparent)?.traceId ?? null;
    response.setHeader('X-Request-Id', request_id);
    response.once('close', () => {
      const { statusCode: status } = response;
      const route = findRoutePattern(request, response);
      const durationMs = performance.now() - started;
      span?.end({ route, status });
      const code = response.getHeader('X-Error-Code');
      observeRequest({
        method,
        route,
        status,
        durationMs,
        errorCode: typeof code === 'string' ? code : null,
      });
      const line = {
        request_id,
        ...(trace_id !== null && { trace_id }),
        method,
        route: route ?? '-',
        status,
        duration_ms: Math.round(durationMs * 10) / 10,
        ...(typeof code === 'string' && { error_code: code }),
        ...(!response.writableFinished && { aborted: true }),
      };
      if (status >= 500) log.warn(line, 'request');
      else log.info(line, 'request');
    });
    runInTrace(trace_id === null ? null : { trace_id, context: span?.context }, next);
  };
}

/**
 * Sets the route pattern for the request log. Handlers must call it, because Express loses the mount path when an error
 * leaves a mounted router.
 */
export function nameRoute(response: Response, pattern: string): void {
  response.locals['route'] = pattern;
}

/** Null if no route has the path. */
function findRoutePattern(request: Request, response: Response): string | null {
  const named: unknown = response.locals['route'];
  if (typeof named === 'string') return named;
  const route: unknown = request.route;
  const hasPath = typeof route === 'object' && route !== null && 'path' in route;
  return hasPath && typeof route.path === 'string' ? request.baseUrl + route.path : null;
}
