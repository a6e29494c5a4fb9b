import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** A reply that is already JSON text with its validator: sent as it is, nothing serialized or hashed again. */
export interface ReadyReply {
  body: Buffer;
  etag: string;
  headers: Record<string, string>;
  /** The body compressed, once, when somebody first asks for it; null where that does not pay. */
  gzipped: () => Promise<Buffer | null>;
}

const compress = promisify(gzip);

/** Bytes. Smaller bodies fit one packet anyway, compressed or not. */
export const COMPRESSION_THRESHOLD = 1024;

/** The validator of a reply's JSON text. */
export function etagOf(body: Buffer | string): string {
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/** Turns a reply into bytes once, so that it can be sent many times. */
export function readyReply(value: unknown, headers: Record<string, string>): ReadyReply {
  const body = Buffer.from(JSON.stringify(value));
  let gzipped: Promise<Buffer | null> | undefined;
  return {
    body,
    etag: etagOf(body),
    headers,
    gzipped: () => (gzipped ??= body.length < COMPRESSION_THRESHOLD ? Promise.resolve(null) : compress(body)),
  };
}

/**
 * Sends it, as 304 when the client has it already and compressed when the client reads that. Writes the headers itself:
 * everything Express would find out about the body is known.
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
  const body = gzipped ?? ready.body;
  if (gzipped !== null) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', body.length);
  response.status(200).end(request.method === 'HEAD' ? undefined : body);
}
