import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { readErrorCode } from '../error-code';
import type { FileChunk, FileReply, FileType } from './endpoint';
import { calculateEtag } from './ready-reply';

/** A file as it is sent. */
interface SentFile<Content> {
  file: FileReply<Content>;
  type: FileType;
  headers: Record<string, string>;
}

/** Sends a file. Browsers display one that was loaded as a whole, and save a streamed one. */
export async function sendFile(
  request: Request,
  response: Response,
  { file: { name, content }, type, headers }: SentFile<Buffer | AsyncIterable<FileChunk>>,
): Promise<void> {
  if (Buffer.isBuffer(content)) sendBuffer(response, { file: { name, content }, type, headers });
  else await sendChunks(request, response, { file: { name, content }, type, headers });
}

/** Express replies with 304 if the client has it. */
function sendBuffer(response: Response, { file, type, headers }: SentFile<Buffer>): void {
  response
    .status(200)
    .set({
      ...headers,
      ETag: calculateEtag(file.content),
      'Content-Disposition': `inline; filename="${file.name}"`,
    })
    .set('Content-Type', type)
    .send(file.content);
}

/**
 * Sends chunks while they are produced, only as fast as the client reads. The headers are sent with the first chunk, so
 * an error before it gets its own reply; a later one closes the connection, by which the client recognizes an
 * incomplete reply.
 */
async function sendChunks(
  request: Request,
  response: Response,
  { file, type, headers }: SentFile<AsyncIterable<FileChunk>>,
): Promise<void> {
  const chunks = file.content[Symbol.asyncIterator]();
  const first = await chunks.next();
  response.status(200).set(headers);
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Disposition', `attachment; filename="${file.name}"`);
  if (request.method === 'HEAD') {
    await chunks.return?.();
    response.end();
    return;
  }
  await sendStream(Readable.from(continueFrom(first, chunks), { objectMode: false }), response);
}

/** Sends a stream and ends the reply. A client that disconnects before the end is no failure. */
export async function sendStream(stream: Readable, response: Response): Promise<void> {
  try {
    await pipeline(stream, response);
  } catch (error) {
    if (readErrorCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

async function* continueFrom(
  first: IteratorResult<FileChunk>,
  chunks: AsyncIterator<FileChunk>,
): AsyncGenerator<FileChunk> {
  try {
    for (let next = first; next.done !== true; next = await chunks.next()) yield next.value;
  } finally {
    await chunks.return?.();
  }
}
