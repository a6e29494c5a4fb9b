import { createServer, request as sendRequest, type RequestListener } from 'node:http';
import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Sends a request without a body to a handler of this process, as if it came from the address `ip`. */
export type LocalFetch = (request: Request, ip: string | undefined) => Promise<Response>;

/**
 * Creates a function that sends requests to an HTTP handler through a pair of streams instead of a socket. The handler sees
 * ordinary requests, so limits, logs and load shedding apply to them.
 */
export function createLocalFetch(handler: RequestListener): LocalFetch {
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, handler);
  return (request, ip) =>
    new Promise((resolve, reject) => {
      const [near, far] = duplexPair();
      // What a socket has, and the handler reads.
      Object.assign(far, {
        remoteAddress: ip,
        setTimeout: () => far,
        setNoDelay: () => far,
        setKeepAlive: () => far,
      });
      // The end of a pair does not reach the other one if it is destroyed.
      far.once('close', () => {
        if (!far.writableFinished) near.destroy(new Error('the request was broken off'));
      });
      server.emit('connection', far);
      const { pathname, search, host } = new URL(request.url);
      const call = sendRequest({
        method: request.method,
        path: pathname + search,
        headers: { ...Object.fromEntries(request.headers), host, connection: 'close' },
        createConnection: () => near,
      });
      call.on('error', reject);
      call.on('response', (reply) => {
        const headers = new Headers();
        for (const [name, value] of Object.entries(reply.headers))
          if (value !== undefined) headers.set(name, String(value));
        const { statusCode: status = 500 } = reply;
        text(reply).then(
          (body) => resolve(new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers })),
          reject,
        );
      });
      call.end();
    });
}

/** More than a visitor may send, because parameters of the API are longer than parameters of pages. */
const MAX_HEADER_BYTES = 65_536;
const WITHOUT_BODY = new Set([204, 304]);
