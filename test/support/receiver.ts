import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver has got. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  path: string;
}

/** A server that receives webhooks. */
export interface Receiver {
  url: string;
  received: Received[];
  close: () => void;
}

/** Starts a receiver. @param answer sends the reply to the request with this number, from 0; defaults to 204 */
export async function startReceiver(
  answer: (reply: Parameters<RequestListener>[1], number: number, request: Received) => void = (reply) =>
    void reply.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const got = {
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        path: request.url ?? '',
      };
      received.push(got);
      answer(reply, received.length - 1, got);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/hook`, received, close };
}
