import express, { type RequestHandler } from 'express';
import type { EndpointDescription, Router } from './endpoint';
import { endpointHandler, type Application, type RequestContext } from './handler';
import { findRecordReader } from './if-match';

/**
 * All endpoints as one handler. They are found by the first segment of the path, so that a request is compared with the
 * routes of its resource and not with those of the whole API; among these, in the order they were declared.
 */
export function mountEndpoints<Ctx extends RequestContext, Access extends string>(
  routers: readonly Router<Ctx, Access>[],
  app: Application<Ctx, Access>,
): RequestHandler {
  const resources = new Map<string, express.Router>();
  const endpoints = routers.flatMap((router) => router.endpoints);
  for (const endpoint of endpoints) {
    const name = resourceOf(endpoint.path);
    const router = resources.get(name) ?? express.Router();
    resources.set(name, router);
    const reader = findRecordReader(endpoint, endpoints);
    mount(router, endpoint, endpointHandler({ endpoint, app, reader }));
  }
  return (request, response, next) => {
    const router = resources.get(resourceOf(request.path));
    if (router === undefined) next();
    else router(request, response, next);
  };
}

/** PATCH is routed wherever PUT is. */
function mount(router: express.Router, { method, path }: EndpointDescription, handler: RequestHandler): void {
  router[method](path, handler);
  if (method === 'put') router.patch(path, handler);
}

/** Lower case, as Express compares paths without regard to it. */
function resourceOf(path: string): string {
  const end = path.indexOf('/', 1);
  return path.slice(1, end === -1 ? undefined : end).toLowerCase();
}
