import http from 'node:http';
import type { FuzzRequest } from './requests';

export interface FuzzReply {
  status: number;
  /** Empty if there is none. */
  type: string;
  text: string;
  /** The longest wait for the reply or its next part: a file that is streamed takes the time that its records take. */
  ms: number;
}

/** After this time a request hangs. The first document takes seconds on a busy machine. */
const LONGEST_MS = 60_000;

/** Sends a request unchanged, unlike a client library. Status 0: the connection ended without a reply. */
export function send(port: number, agent: http.Agent, request: FuzzRequest): Promise<FuzzReply> {
  let last = performance.now();
  let ms = 0;
  const noteWait = (): void => {
    const now = performance.now();
    ms = Math.max(ms, now - last);
    last = now;
  };
  return new Promise((resolve) => {
    const end = (status: number, text: string, type = '') => {
      noteWait();
      resolve({ status, type, text, ms });
    };
    const { method, path, headers, body } = request;
    const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = http.request(
      {
        host: '127.0.0.1',
        port,
        agent,
        method: method.toUpperCase(),
        path,
        headers: { ...headers, ...length },
      },
      (reply) => {
        noteWait();
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => {
          noteWait();
          chunks.push(chunk);
        });
        reply.on('end', () =>
          end(reply.statusCode ?? 0, Buffer.concat(chunks).toString(), reply.headers['content-type']),
        );
        reply.on('error', (error) => end(0, error.message));
      },
    );
    sent.setTimeout(LONGEST_MS, () => sent.destroy(new Error('no reply')));
    sent.on('error', (error) => end(0, error.message));
    sent.end(body ?? undefined);
  });
}
