import http from 'node:http';
import https from 'node:https';
import { isError } from '../error-code';
import { findAddressIn, isPublicAddress, lookupPublic } from './public-address';

/** How a request ended: with a reply, or why without one. */
export type PostResult = { code: number; text: string } | { code: null; text: string };

export interface PostOptions {
  headers: Record<string, string>;
  timeoutMs: number;
  /** How much of the reply is kept, in bytes. */
  keptBytes: number;
  /** Whether private networks may be reached. */
  allowsPrivate: boolean;
}

/**
 * Sends a body and returns the beginning of the reply. Follows no redirects, and refuses addresses in private networks at the
 * connection. Never throws.
 */
export async function post(target: string, body: string, options: PostOptions): Promise<PostResult> {
  const url = new URL(target);
  const address = findAddressIn(url);
  if (!options.allowsPrivate && address !== null && !isPublicAddress(address))
    return { code: null, text: `${address} is in a private network` };
  return new Promise((resolve) => {
    const fail = (error: unknown) =>
      resolve({ code: null, text: isError(error) ? error.message : 'the connection failed' });
    const signal = AbortSignal.timeout(options.timeoutMs);
    const request = (url.protocol === 'https:' ? https : http).request(
      url,
      {
        method: 'POST',
        headers: { ...options.headers, 'content-length': String(Buffer.byteLength(body)) },
        // A connection of its own: one that is kept would lead to an address that was checked earlier.
        agent: false,
        ...(!options.allowsPrivate && { lookup: lookupPublic }),
      },
      (reply) => {
        const chunks: Buffer[] = [];
        let size = 0;
        const finish = () => {
          const text = Buffer.concat(chunks).subarray(0, options.keptBytes).toString('utf8');
          resolve({ code: reply.statusCode ?? 0, text: text.replaceAll('\u0000', '') });
          request.destroy();
        };
        reply.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size >= options.keptBytes) finish();
        });
        reply.on('end', finish).on('error', fail);
      },
    );
    signal.addEventListener('abort', () => {
      fail(new Error(`no reply within ${options.timeoutMs / 1000} seconds`));
      request.destroy();
    });
    request.on('error', fail);
    request.end(body);
  });
}
