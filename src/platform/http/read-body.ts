import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request } from 'express';
import getRawBody from 'raw-body';
import { BadRequest, TooLarge, Unavailable } from '../errors';
import type { Slots } from '../slots';
import type { UnfinishedBodies } from './unfinished-bodies';
import { discardBody } from './upload';

/** In bytes, for GET and HEAD: enough for the conditions of a search. */
const MOST_READING = 16 * 1024;
const MOST_WRITING = 1024 * 1024;
/** Nothing that front-ends of shoppers send is larger. What is larger takes turns, unless a member of staff sends it. */
const MOST_AT_ONCE = 64 * 1024;
/** A slow sender holds its turn for this long. */
const LONGEST_TURN_MS = 2_000;

/** The time that is left to other requests after a large body: a few times what it takes to parse it and to refuse or check its keys. */
const BYTES_PER_PAUSE_MS = 16 * 1024;

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

/** Returns whether a member of staff sends the request. Their large bodies are read at once. */
export type IsStaff = (request: Request) => Promise<boolean>;

/** How bodies are read. */
export interface BodyReading {
  bodies: UnfinishedBodies;
  isStaff: IsStaff;
  /** The turns of large bodies. */
  turns: Slots;
}

/**
 * Reads a body as text, decompressed. What exceeds 64 KiB waits for a turn, unless a member of staff sends it. Turns are followed by
 * time for other requests.
 * @throws TooLarge; BadRequest for an unknown encoding or bytes that are not text in it, or if the client disconnects; Unavailable
 * without a turn, or if the bodies that have not arrived completely take too much memory and this is the oldest
 */
export async function readBody(request: Request, { bodies, isStaff, turns }: BodyReading): Promise<string> {
  const takesTurns = mayBeLarge(request) && !(await isStaff(request));
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
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  let turn: Promise<void> | undefined;
  let refuse = (_error: unknown): void => undefined;
  const refused = new Promise<never>((_resolve, reject) => (refuse = reject));
  refused.catch(() => undefined);
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
    if (takesTurns && size > MOST_AT_ONCE && turn === undefined) {
      stream.pause();
      turn = turns(async () => {
        stream.resume();
        await endOfTurn(ended);
        await pause(size / BYTES_PER_PAUSE_MS);
      });
      turn.catch(refuse);
    }
  });
  try {
    const charset = findCharset(request);
    const raw = getRawBody(stream, {
      limit: isReading(request) ? MOST_READING : MOST_WRITING,
      length: stream === request ? (request.headers['content-length'] ?? null) : null,
      ...(charset !== 'utf-8' && { encoding: charset }),
    });
    return toText(await Promise.race([raw, refused]));
  } catch (error) {
    if (stream !== request) {
      request.unpipe();
      stream.destroy();
    }
    // Memory is free before the rest arrives.
    body.end();
    await discardBody(request);
    throw isInflaterError(error) ? new BadRequest() : error;
  } finally {
    body.end();
    end();
  }
}

async function endOfTurn(ended: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, LONGEST_TURN_MS).unref()));
  await Promise.race([ended, late]);
  clearTimeout(timer);
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms).unref());
}

const isReading = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** Whether the body may have more than `MOST_AT_ONCE` bytes, decompressed. */
function mayBeLarge(request: Request): boolean {
  const { headers } = request;
  const isKnown = headers['content-encoding'] === undefined && headers['transfer-encoding'] === undefined;
  return !isReading(request) && !(isKnown && Number(headers['content-length']) <= MOST_AT_ONCE);
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
  if (!/^utf-?\d/i.test(charset)) throw new BadRequest().withHint(ENCODINGS);
  return charset.toLowerCase().replace(/^utf(?=\d)/, 'utf-');
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8; the text of other charsets is already decoded. @throws BadRequest if it is not UTF-8, such as Latin-1 */
function toText(body: Buffer | string): string {
  if (typeof body === 'string') return body;
  try {
    return UTF_8.decode(body);
  } catch {
    throw new BadRequest().withHint(ENCODINGS);
  }
}

/** Whether the compressed data are damaged. Errors of zlib have an `errno` as those of the system, and no `syscall`. */
function isInflaterError(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && !('syscall' in error);
}
