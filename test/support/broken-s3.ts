import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { parseS3Url, type S3Address } from '../../src/platform/storage/s3-url';
import { listen } from './listen';

/** What a service does with each request, once it has read it. */
export type S3Fault = (reply: ServerResponse) => void;

const SIZE = 3 * 1024 * 1024;
const HEAD = { 'Content-Length': SIZE, ETag: '"x"' };

/** Faults of a service by name. Those in the middle of a reply concern a file of 3 MiB, or of `size` bytes. */
export const S3_FAULTS = {
  neverAnswers: (): void => undefined,
  answers:
    (status: number, body = ''): S3Fault =>
    (reply) =>
      reply.writeHead(status).end(body),
  hangsUp: (reply: ServerResponse): void => void reply.destroy(),
  stallsAfterHead:
    (size = SIZE): S3Fault =>
    (reply) =>
      reply.writeHead(200, { ...HEAD, 'Content-Length': size }).write('x'),
  cutsAfterHead:
    (size = SIZE): S3Fault =>
    (reply) =>
      reply.writeHead(200, { ...HEAD, 'Content-Length': size }).write('x', () => reply.destroy()),
  /** A byte at a time, often enough not to be silent. */
  trickles: (reply: ServerResponse): void => {
    reply.writeHead(200, { ...HEAD, 'Content-Length': 1000 });
    const timer = setInterval(() => reply.write('x'), 20);
    reply.once('close', () => clearInterval(timer));
  },
};

/** A service that is not in order. */
export interface BrokenS3 {
  address: S3Address;
  /** The value of STORAGE_URL. */
  url: string;
  /** How many requests have arrived. */
  requests: () => number;
  /** What has been sent to it. */
  bodies: () => readonly string[];
  fail: (fault: S3Fault) => void;
  close: () => Promise<void>;
}

/** Starts a service that answers each request with the fault. */
export async function startBrokenS3(first: S3Fault): Promise<BrokenS3> {
  let fault = first;
  const bodies: string[] = [];
  let requests = 0;
  const server = await listen((request, response) => {
    requests += 1;
    void text(request).then((body) => {
      bodies.push(body);
      fault(response);
    });
  });
  const url = `s3://key:secret@files/shop?endpoint=${server.url}`;
  const address = parseS3Url(url);
  if (address === null) throw new Error(`${url} is not valid`);
  return {
    address,
    url,
    requests: () => requests,
    bodies: () => bodies,
    fail: (next) => {
      fault = next;
    },
    close: () => server.close(),
  };
}
