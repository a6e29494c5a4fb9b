import { z } from 'zod';
import { apiRouter, endpoint, type ApiRouter } from '../http/endpoint';
import { apiDocument } from './document';
import type { ApiReference } from './reference';

/**
 * Serves the document of all `routers`, itself included, as /openapi.json: the suffix is taken off every path.
 * Made once: it changes only with the code.
 */
export function openapiRouter(routers: readonly ApiRouter[], reference: ApiReference): ApiRouter {
  const router = apiRouter('Reference');
  let document: Record<string, unknown> | null = null;
  endpoint(router, 'get /openapi', {
    summary: 'This API as an OpenAPI 3.1 document',
    reply: z.record(z.string(), z.unknown()),
    handle: () => {
      document ??= apiDocument(
        [...routers, router].flatMap((one) => one.endpoints),
        reference,
      );
      return Promise.resolve(document);
    },
  });
  return router;
}
