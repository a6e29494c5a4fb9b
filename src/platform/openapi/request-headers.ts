import { z } from 'zod';
import type { Endpoint } from '../http/endpoint';

const idempotencyKey = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .meta({
    param: { id: 'IdempotencyKey' },
    description:
      'Makes it safe to repeat the request: for 24 hours the same request with the same key has one effect and one reply. Visible ASCII; at least 16 characters without a token.',
  });

const ifMatch = z
  .string()
  .optional()
  .meta({
    param: { id: 'IfMatch' },
    description:
      'An `ETag` of the record, or of the nearest record above it that has one: 412 when it has changed since.',
  });

const prefer = z
  .string()
  .optional()
  .meta({
    param: { id: 'Prefer' },
    description: '`handling=strict`: 422 in place of ignoring unknown parameters and conditions.',
  });

/** Whether the endpoint takes an `Idempotency-Key`. */
export function takesIdempotencyKey({ method, ignoresIdempotencyKey }: Endpoint): boolean {
  return method !== 'get' && ignoresIdempotencyKey !== true;
}

/** The headers an endpoint takes beside its tokens. */
export function headerParameters(endpoint: Endpoint): z.ZodObject {
  const changes = endpoint.method === 'put' || endpoint.method === 'delete';
  return z.object({
    ...(takesIdempotencyKey(endpoint) && { 'Idempotency-Key': idempotencyKey }),
    ...(changes && { 'If-Match': ifMatch }),
    Prefer: prefer,
  });
}
