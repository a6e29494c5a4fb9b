import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Request } from 'express';
import { userIdOf, type Ctx } from '../../access/context';
import { BadRequest } from '../../errors/errors';
import type { RequestKey } from '../idempotency/run-once';
import type { Endpoint } from './endpoint';
import { isRecord, type Parameters } from './parameters';
import type { UploadedFile } from './upload';

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;
/** Whoever shares an address with others must not meet their keys by chance. */
const SHORTEST_ANONYMOUS_KEY = 16;

/**
 * Reads the request's `Idempotency-Key`; null without one, and for reads, sign-in and sign-up, where it means nothing.
 * @returns the key together with whose it is: the user of the token, else the order token, else the client's address
 * @throws BadRequest
 */
export function readIdempotencyKey(request: Request, endpoint: Endpoint, ctx: Ctx): string[] | null {
  const key = request.header('idempotency-key');
  if (key === undefined || endpoint.method === 'get' || endpoint.ignoresIdempotencyKey === true) return null;
  if (!VISIBLE_ASCII.test(key)) {
    throw new BadRequest('Idempotency-Key must be 1 to 255 visible ASCII characters.');
  }
  const userId = userIdOf(ctx.actor);
  if (userId !== null) return ['user', String(userId), key];
  if (ctx.orderToken !== null) return ['order', ctx.orderToken, key];
  if (key.length < SHORTEST_ANONYMOUS_KEY) {
    throw new BadRequest(
      `Idempotency-Key of an anonymous request must have ${SHORTEST_ANONYMOUS_KEY} characters or more.`,
    );
  }
  return ['address', ctx.clientAddress, key];
}

/** Builds what tells this request from another one with the same key. */
export async function requestKeyOf(
  request: Request,
  scope: readonly string[],
  sources: { query: Parameters; body: unknown; file: UploadedFile | null },
): Promise<RequestKey> {
  const { query, body, file } = sources;
  return {
    scope,
    request: [
      request.method,
      request.baseUrl + request.path,
      inKeyOrder(query),
      inKeyOrder(body),
      file === null ? null : [file.original_name, await hashFile(file.path)],
    ],
  };
}

/** Records say the same in whatever order their keys come. */
function inKeyOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inKeyOrder);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, inKeyOrder(value[key])]);
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
