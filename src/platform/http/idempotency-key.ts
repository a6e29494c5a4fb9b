import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Request } from 'express';
import { BadRequest } from '../errors';
import type { RequestKey } from '../idempotency/run-once';
import type { EndpointDescription } from './endpoint';
import { isRecord, type Parameters } from '../parameters';
import type { UploadedFile } from './upload';

/** To whom an idempotency key belongs. */
export interface KeyOwner {
  /** Different for different owners. */
  name: readonly string[];
  /** Whether several callers may have this name, such as a network address. Their keys must be longer. */
  isShared: boolean;
}

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;
/** Callers who share an owner's name must not use the same key by chance. */
const SHORTEST_ANONYMOUS_KEY = 16;

/**
 * Reads the request's `Idempotency-Key`; null without one, and for endpoints that ignore it.
 * @returns the name of the owner and the key
 * @throws BadRequest
 */
export function readIdempotencyKey(
  request: Request,
  endpoint: EndpointDescription,
  owner: KeyOwner,
): string[] | null {
  const key = request.header('idempotency-key');
  if (key === undefined || endpoint.method === 'get' || endpoint.ignoresIdempotencyKey === true) return null;
  if (!VISIBLE_ASCII.test(key)) {
    throw new BadRequest('Idempotency-Key must be 1 to 255 visible ASCII characters.');
  }
  if (owner.isShared && key.length < SHORTEST_ANONYMOUS_KEY) {
    throw new BadRequest(
      `Idempotency-Key of an anonymous request must have ${SHORTEST_ANONYMOUS_KEY} characters or more.`,
    );
  }
  return [...owner.name, key];
}

/** Builds what identifies the request and distinguishes it from others with the same key. */
export async function readRequestKey(
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
      sortKeys(query),
      sortKeys(body),
      file === null ? null : [file.original_name, await hashFile(file.path)],
    ],
  };
}

/** Sorts keys, whose order has no meaning. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, sortKeys(value[key])]);
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
