import { z } from 'zod';
import type { EndpointDescription } from '../http/endpoint';

const idempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .meta({
    param: { id: 'IdempotencyKey' },
    description:
      'Makes retries safe: for 24 hours, the same request with the same key has one effect and gets the same response. Visible ASCII; at least 16 characters without a token.',
  });

const ifMatch = z
  .string()
  .optional()
  .meta({
    param: { id: 'IfMatch' },
    description: 'The `ETag` of the record, or of its nearest parent that has one. 412 if it has changed.',
  });

const prefer = z
  .string()
  .optional()
  .meta({
    param: { id: 'Prefer' },
    description:
      'With `handling=strict`, unknown parameters and conditions are 422 errors instead of being ignored.',
  });

/** Whether the endpoint accepts an `Idempotency-Key`. */
export function takesIdempotencyKey({ method, ignoresIdempotencyKey }: EndpointDescription): boolean {
  return method !== 'get' && ignoresIdempotencyKey !== true;
}

/** Builds the header parameters of an endpoint, except its tokens. */
export function buildHeaderParameters(endpoint: EndpointDescription): z.ZodObject {
  const changes = endpoint.method === 'put' || endpoint.method === 'delete';
  return z.object({
    ...(takesIdempotencyKey(endpoint) && { 'Idempotency-Key': idempotencyKey }),
    ...(changes && { 'If-Match': ifMatch }),
    Prefer: prefer,
  });
}
