import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { S3Limits } from './s3-attempts';
import { Silent, toStorageError } from './s3-problem';

/**
 * Returns the body of a reply as a stream whose errors are those of a storage. The service may be silent for `idleMs`; how slowly the
 * stream is read does not matter.
 */
export function readBody(body: IncomingMessage, limits: Pick<S3Limits, 'idleMs'>): Readable {
  // The limit of the socket counts pauses of the reader, too.
  body.setTimeout(0);
  const stream = Readable.from(readChunks(body, limits), { objectMode: false });
  // Also if it is closed before it is read.
  return stream.once('close', () => body.destroy());
}

async function* readChunks(
  body: IncomingMessage,
  { idleMs }: Pick<S3Limits, 'idleMs'>,
): AsyncGenerator<Buffer> {
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const timer = setTimeout(() => body.destroy(new Silent()), idleMs);
      const next = await chunks.next().finally(() => clearTimeout(timer));
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    throw toStorageError(error);
  }
}
