import { z } from 'zod';
import { endpoint, type Router } from '../http/endpoint';
import { JsonText } from '../http/json-text';
import { buildDocument } from './document';
import type { ApiReference } from './reference';

/**
 * Declares the endpoint /openapi.json with the document of all `routers` and of `router`. The path has no suffix
 * because it is removed from all requests. The document is built and serialized once, as it is large: replies that
 * clients do not read share its bytes.
 */
export function declareDocument<Ctx, Access extends string>(
  router: Router<Ctx, Access>,
  access: Access,
  described: { routers: readonly Router<Ctx, Access>[]; reference: ApiReference },
): void {
  let document: JsonText | null = null;
  endpoint(router, 'get /openapi', {
    access,
    summary: 'Get the OpenAPI 3.1 document of this API',
    description: 'The document that this page shows.',
    reply: z.record(z.string(), z.unknown()),
    handle: () => {
      const endpoints = [...described.routers, router].flatMap((one) => one.endpoints);
      document ??= JsonText.of(buildDocument(endpoints, described.reference));
      return Promise.resolve(document);
    },
  });
}
