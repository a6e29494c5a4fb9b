import http from 'node:http';
import https from 'node:https';
import { isError } from '../error-code';
import { findAddressIn, isPublicAddress, lookupPublic } from './public-address';

/** How a request ended: with a reply, or why without one. */
export type PostResult =
  { code: number; text: string; retryAfter: string | undefined } | { code: null; text: string };

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
    /** What is missing yet. */
    let next = address === null ? 'address' : 'connection';
    let reply: http.IncomingMessage | undefined;
    const chunks: Buffer[] = [];
    const finish = (reason: string) => {
      clearTimeout(timer);
      request.destroy();
      // The status counts, however the body ends.
      if (reply?.statusCode === undefined) return resolve({ code: null, text: reason });
      const text = Buffer.concat(chunks).subarray(0, options.keptBytes).toString('utf8');
      resolve({
        code: reply.statusCode,
        text: text.replaceAll('\u0000', ''),
        retryAfter: reply.headers['retry-after'],
      });
    };
    const fail = (error: unknown) => finish(describeFailure(error));
    const request = (url.protocol === 'https:' ? https : http).request(
      url,
      {
        method: 'POST',
        headers: { ...options.headers, 'content-length': String(Buffer.byteLength(body)) },
        // A connection of its own: one that is kept would lead to an address that was checked earlier.
        agent: false,
        ...(!options.allowsPrivate && { lookup: lookupPublic }),
      },
      (received) => {
        reply = received;
        let size = 0;
        reply.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size >= options.keptBytes) finish('');
        });
        reply.on('end', () => finish('')).on('error', fail);
      },
    );
    const timer = setTimeout(
      () => finish(`no ${next} within ${options.timeoutMs / 1000} seconds`),
      options.timeoutMs,
    );
    request.on('socket', (socket) => {
      socket.once('lookup', () => (next = 'connection'));
      socket.once('connect', () => (next = 'reply'));
    });
    request.on('upgrade', (received, socket) => {
      reply = received;
      socket.destroy();
      finish('');
    });
    request.on('error', fail);
    request.end(body);
  });
}

/** The error of several addresses has no message, but errors that have. */
function describeFailure(error: unknown): string {
  const errors: unknown[] =
    isError(error) && 'errors' in error && Array.isArray(error.errors) ? error.errors : [error];
  return errors.map((one) => (isError(one) ? one.message : 'the connection failed')).join('; ');
}
