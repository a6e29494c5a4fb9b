import type { IncomingMessage } from 'node:http';

/** The chunks that any body may have, and the bytes that each further one has on average at least. */
const FREE_CHUNKS = 256;
const BYTES_PER_CHUNK = 16;

/**
 * Closes the connection of a request whose body arrives in chunks of a few bytes. Each chunk is an event however small it is, so a
 * body of 60,000 of them takes as long as hundreds of requests.
 */
export function limitChunks(request: IncomingMessage): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  const push = request.push.bind(request);
  let chunks = 0;
  let bytes = 0;
  request.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (chunk === null) return push(chunk);
    chunks += 1;
    bytes += chunk.length;
    if (chunks <= FREE_CHUNKS + bytes / BYTES_PER_CHUNK) return push(chunk, encoding);
    request.socket.destroy();
    return false;
  };
}
