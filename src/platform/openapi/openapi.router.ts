import { z } from 'zod';
import { endpoint, type Router } from '../http/endpoint';
import { buildDocument } from './document';
import type { ApiReference } from './reference';

/**
 * Declares the document of all `routers`, `router` included, as /openapi.json: the suffix is removed from every path.
 * It is built once, as it changes only with the code.
 */
export function declareDocument<Ctx, Access extends string>(
  router: Router<Ctx, Access>,
  access: Access,
  described: { routers: readonly Router<Ctx, Access>[]; reference: ApiReference },
): void {
  let document: Record<string, unknown> | null = null;
  endpoint(router, 'get /openapi', {
    access,
    summary: 'This API as an OpenAPI 3.1 document',
    reply: z.record(z.string(), z.unknown()),
    handle: () => {
      const endpoints = [...described.routers, router].flatMap((one) => one.endpoints);
      document ??= buildDocument(endpoints, described.reference);
      return Promise.resolve(document);
    },
  });
}
