import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** A reply that is already JSON text with its validator: sent as it is, nothing serialized or hashed again. */
export interface ReadyReply {
  ready: true;
  body: Buffer;
  /** The same compressed, where that pays. */
  gzipped: Buffer | null;
  etag: string;
  headers: Record<string, string>;
}

const compress = promisify(gzip);

/** Smaller bodies fit one packet anyway. */
export const COMPRESSION_THRESHOLD = 1024;

/** Turns a reply into bytes once, so that it can be sent many times. */
export async function readyReply(value: unknown, headers: Record<string, string>): Promise<ReadyReply> {
  const body = Buffer.from(JSON.stringify(value));
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  const gzipped = body.length < COMPRESSION_THRESHOLD ? null : await compress(body);
  return { ready: true, body, gzipped, etag: `W/"${digest}"`, headers };
}
