import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request } from 'express';
import getRawBody from 'raw-body';
import { BadRequest, TooLarge, Unavailable } from '../errors';
import type { UnfinishedBodies } from './unfinished-bodies';
import { discardBody } from './upload';

/** In bytes, for GET and HEAD: enough for the conditions of a search. */
const MOST_READING = 16 * 1024;
const MOST_WRITING = 1024 * 1024;
/** The same of callers whose token is not checked before. Nothing that shoppers send is larger. */
const MOST_UNCHECKED = 64 * 1024;

/** How many times its size a compressed body may become. Repeated records compress to about a fiftieth. */
const MOST_INFLATION = 100;
/** A body of up to this size may be compressed as much as it can be. */
const FREE_INFLATION = 64 * 1024;
/** What decompressing takes, before it has any result. */
const INFLATER_BYTES = 64 * 1024;

const INFLATERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export const ENCODINGS = 'Send the body in UTF-8, plain or compressed with gzip, deflate or br.';

/**
 * Checks before it is read whether the body of a request may have more than 64 KiB.
 * @returns null if it may, otherwise the error if it has
 */
export type CheckLargeBody = (request: Request) => Promise<Error | null>;

/** How bodies are read. */
export interface BodyReading {
  bodies: UnfinishedBodies;
  checkLarge: CheckLargeBody;
}

/**
 * Reads a body as text, decompressed.
 * @throws TooLarge; the error of `checkLarge`; BadRequest for an unknown encoding, or if the client disconnects; Unavailable if the bodies that have not
 * arrived completely take too much memory and this is the oldest
 */
export async function readBody(request: Request, { bodies, checkLarge }: BodyReading): Promise<string> {
  const refusal = mayBeLarge(request) ? await checkLarge(request) : null;
  const coding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  const stream = decode(request, coding);
  const body = bodies.begin(() =>
    stream.destroy(
      new Unavailable('The service is busy. Please try again.', 1, 'too many unfinished bodies'),
    ),
  );
  // Also after the body is refused: errors without a listener would stop the program.
  stream.on('error', () => undefined);
  let received = 0;
  let size = 0;
  if (stream !== request) {
    body.add(INFLATER_BYTES);
    request.on('data', (chunk: Buffer) => (received += chunk.length));
  }
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    body.add(chunk.length);
    if (stream !== request && size > Math.max(FREE_INFLATION, received * MOST_INFLATION)) {
      stream.destroy(new TooLarge('inflation'));
    }
  });
  try {
    return await getRawBody(stream, {
      limit: isReading(request) ? MOST_READING : refusal === null ? MOST_WRITING : MOST_UNCHECKED,
      length: stream === request ? (request.headers['content-length'] ?? null) : null,
      encoding: findCharset(request),
    });
  } catch (error) {
    if (stream !== request) {
      request.unpipe();
      stream.destroy();
    }
    // Memory is free before the rest arrives.
    body.end();
    await discardBody(request);
    if (refusal !== null && isTooLarge(error)) throw refusal;
    throw isInflaterError(error) ? new BadRequest() : error;
  } finally {
    body.end();
  }
}

const isReading = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** Whether the body may have more than `MOST_UNCHECKED` bytes, decompressed. */
function mayBeLarge(request: Request): boolean {
  const { headers } = request;
  const isKnown = headers['content-encoding'] === undefined && headers['transfer-encoding'] === undefined;
  return !isReading(request) && !(isKnown && Number(headers['content-length']) <= MOST_UNCHECKED);
}

/** Whether the body has more bytes than are read. */
function isTooLarge(error: unknown): boolean {
  return (
    error instanceof TooLarge ||
    (error instanceof Error && 'type' in error && error.type === 'entity.too.large')
  );
}

/** Returns the stream of the decompressed bytes; the request itself without compression. */
function decode(request: Request, coding: string): Readable {
  if (coding === 'identity') return request;
  const create = Object.hasOwn(INFLATERS, coding) ? INFLATERS[coding] : undefined;
  if (create === undefined) throw new BadRequest().withHint(ENCODINGS);
  const inflater = create();
  request.once('close', () => {
    if (!request.complete) inflater.destroy(new BadRequest());
  });
  return request.pipe(inflater);
}

/** @throws BadRequest for other charsets than those of Unicode */
function findCharset(request: Request): string {
  const [, charset = 'utf-8'] = /;\s*charset="?([\w-]+)/i.exec(request.header('content-type') ?? '') ?? [];
  if (!/^utf-/i.test(charset)) throw new BadRequest().withHint(ENCODINGS);
  return charset.toLowerCase();
}

/** Whether the compressed data are damaged. Errors of zlib have an `errno` as those of the system, and no `syscall`. */
function isInflaterError(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && !('syscall' in error);
}
