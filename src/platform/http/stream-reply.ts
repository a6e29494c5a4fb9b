import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { readErrorCode } from '../error-code';

/** A reply that is sent while it is produced. Its length does not matter for the memory. */
export interface StreamedReply {
  /** The name under which a browser saves it. */
  filename: string;
  chunks: AsyncIterable<string>;
}

/**
 * Sends a streamed reply. The headers are sent with the first chunk, so an error before it gets its own reply; a later
 * one closes the connection, by which the client recognizes an incomplete reply. Reads only as fast as the client.
 */
export async function sendStream(
  request: Request,
  response: Response,
  { reply, type, headers }: { reply: StreamedReply; type: string; headers: Record<string, string> },
): Promise<void> {
  const chunks = reply.chunks[Symbol.asyncIterator]();
  const first = await chunks.next();
  response.status(200).set(headers);
  response.setHeader('Content-Type', `${type}; charset=utf-8`);
  response.setHeader('Content-Disposition', `attachment; filename="${reply.filename}"`);
  if (request.method === 'HEAD') {
    await chunks.return?.();
    response.end();
    return;
  }
  try {
    await pipeline(Readable.from(continueFrom(first, chunks)), response);
  } catch (error) {
    if (readErrorCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error; // otherwise the client is gone
  }
}

async function* continueFrom(
  first: IteratorResult<string>,
  chunks: AsyncIterator<string>,
): AsyncGenerator<string> {
  try {
    for (let next = first; next.done !== true; next = await chunks.next()) yield next.value;
  } finally {
    await chunks.return?.();
  }
}
