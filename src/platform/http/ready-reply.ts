import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { JsonText } from './json-text';

/** A serialized body with its ETag, which can be sent many times. */
interface ReadyBody {
  body: JsonText;
  etag: string;
  /** Returns the compressed body; null if the body is too small. It is compressed once, at the first call. */
  gzipped: () => Promise<Buffer | null>;
}

/** A serialized reply. */
export interface ReadyReply extends ReadyBody {
  headers: Record<string, string>;
}

const compress = promisify(gzip);

/** In bytes. Smaller bodies fit into one packet without compression. */
export const COMPRESSION_THRESHOLD = 1024;

/** Returns the version of the record in the reply of an endpoint; undefined if the endpoint has none of its own. */
export function findVersion(
  { version }: { version?: (reply: unknown) => string | undefined },
  reply: unknown,
): string | undefined {
  return version?.(reply instanceof JsonText ? JSON.parse(reply.text) : reply);
}

/** Builds the ETag of a reply: the digest of its JSON text and, after a point, the version of its record, if the endpoint has one. */
export function calculateEtag(body: Buffer | string, version?: string): string {
  return formatEtag(createHash('sha256').update(body).digest(), version);
}

function formatEtag(hash: Buffer, version?: string): string {
  return `W/"${hash.toString('base64url').slice(0, 27)}${version === undefined ? '' : `.${version}`}"`;
}

const bodies = new WeakMap<JsonText, ReadyBody>();

/**
 * Serializes a reply, so that it can be sent many times. The same `JsonText` is encoded, hashed and compressed once.
 */
export function buildReadyReply(
  value: unknown,
  headers: Record<string, string>,
  version?: string,
): ReadyReply {
  const text = value instanceof JsonText ? value : JsonText.of(value);
  const ready = bodies.get(text) ?? buildReadyBody(text);
  bodies.set(text, ready);
  return { ...ready, ...(version !== undefined && { etag: formatEtag(text.hash, version) }), headers };
}

function buildReadyBody(body: JsonText): ReadyBody {
  let gzipped: Promise<Buffer | null> | undefined;
  return {
    body,
    etag: formatEtag(body.hash),
    gzipped: () =>
      (gzipped ??= body.length < COMPRESSION_THRESHOLD ? Promise.resolve(null) : compress(body.bytes)),
  };
}

/**
 * Sends a reply: as 304 if the client has it, and compressed if the client accepts it. Sets the headers directly, so
 * that Express does not compute them again.
 */
export async function sendReady(request: Request, response: Response, ready: ReadyReply): Promise<void> {
  for (const name in ready.headers) response.setHeader(name, ready.headers[name] ?? '');
  response.setHeader('ETag', ready.etag);
  response.vary('Accept-Encoding');
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  const gzipped = request.acceptsEncodings('gzip') === 'gzip' ? await ready.gzipped() : null;
  if (gzipped !== null) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', (gzipped ?? ready.body).length);
  response.status(200);
  const pieces = gzipped === null ? ready.body.takePieces() : [gzipped];
  if (request.method === 'HEAD') response.end();
  else endWith(response, pieces);
}

/** Sends pieces so that they leave together. */
function endWith(response: Response, pieces: readonly Buffer[]): void {
  if (pieces.length > 1) response.cork();
  for (const piece of pieces.slice(0, -1)) response.write(piece);
  response.end(pieces.at(-1));
}
