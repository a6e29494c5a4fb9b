import express, { type RequestHandler } from 'express';
import { groupBy } from '../group-by';
import type { EndpointDescription, Router } from './endpoint';
import type { Application, RequestContext } from './application';
import { createEndpointHandler } from './handler';
import { findRecordReader } from './if-match';

/**
 * Creates one handler for all endpoints. It selects the routes of the same resource, which is the first path segment, with
 * the same number of segments, so that a request is not compared with those of the whole API. They match in the order of
 * declaration, and are built for their first request.
 * @throws Error for a path that matches different numbers of segments
 */
export function mountEndpoints<Ctx extends RequestContext, Access extends string>(
  routers: readonly Router<Ctx, Access>[],
  app: Application<Ctx, Access>,
): RequestHandler {
  const endpoints = routers.flatMap((router) => router.endpoints);
  const unclear = endpoints.find(({ path }) => /[*{]/.test(path));
  if (unclear !== undefined) throw new Error(`${unclear.path} has no fixed number of segments`);
  const selections = groupBy(endpoints, ({ path }) => buildKey(path));
  const built = new Map<string, express.Router>();
  const findRouter = (key: string): express.Router | null => {
    const known = built.get(key);
    if (known !== undefined) return known;
    const selected = selections.get(key);
    if (selected === undefined) return null;
    const router = express.Router();
    for (const endpoint of selected) {
      const reader = findRecordReader(endpoint, endpoints, app.toRecordPath);
      mount(router, endpoint, createEndpointHandler({ endpoint, app, reader }));
    }
    built.set(key, router);
    return router;
  };
  return (request, response, next) => {
    const router = findRouter(buildKey(request.path));
    if (router === null) next();
    else router(request, response, next);
  };
}

/** Mounts an endpoint. A PUT endpoint also handles PATCH. */
function mount(router: express.Router, { method, path }: EndpointDescription, handler: RequestHandler): void {
  router[method](path, handler);
  if (method === 'put') router.patch(path, handler);
}

/**
 * Returns the first path segment in lower case, because Express ignores the case of paths, and the number of segments. A
 * slash at the end does not count.
 */
function buildKey(path: string): string {
  const end = path.indexOf('/', 1);
  const resource = path.slice(1, end === -1 ? undefined : end).toLowerCase();
  let segments = path.endsWith('/') ? 0 : 1;
  for (let at = path.indexOf('/', 1); at !== -1; at = path.indexOf('/', at + 1)) segments += 1;
  return `${resource} ${segments}`;
}
