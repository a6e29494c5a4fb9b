import express, { type RequestHandler } from 'express';
import type { EndpointDescription, Router } from './endpoint';
import { createEndpointHandler, type Application, type RequestContext } from './handler';
import { findRecordReader } from './if-match';

/**
 * Creates one handler for all endpoints. It selects the resource by the first path segment, so that a request is not
 * compared with the routes of the whole API. The routes of a resource match in the order of declaration.
 */
export function mountEndpoints<Ctx extends RequestContext, Access extends string>(
  routers: readonly Router<Ctx, Access>[],
  app: Application<Ctx, Access>,
): RequestHandler {
  const resources = new Map<string, express.Router>();
  const endpoints = routers.flatMap((router) => router.endpoints);
  for (const endpoint of endpoints) {
    const name = getResource(endpoint.path);
    const router = resources.get(name) ?? express.Router();
    resources.set(name, router);
    const reader = findRecordReader(endpoint, endpoints, app.toRecordPath);
    mount(router, endpoint, createEndpointHandler({ endpoint, app, reader }));
  }
  return (request, response, next) => {
    const router = resources.get(getResource(request.path));
    if (router === undefined) next();
    else router(request, response, next);
  };
}

/** Mounts an endpoint. A PUT endpoint also handles PATCH. */
function mount(router: express.Router, { method, path }: EndpointDescription, handler: RequestHandler): void {
  router[method](path, handler);
  if (method === 'put') router.patch(path, handler);
}

/** Returns the first path segment in lower case, because Express ignores the case of paths. */
function getResource(path: string): string {
  const end = path.indexOf('/', 1);
  return path.slice(1, end === -1 ? undefined : end).toLowerCase();
}
