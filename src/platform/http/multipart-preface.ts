import { once } from 'node:events';
import type { Request, RequestHandler } from 'express';
import { BadRequest } from '../errors';
import { isRecord, type Parameters } from '../parameters';
import type { UnfinishedBodies, UnfinishedBody } from './unfinished-bodies';
import { isMultipart } from './upload';

/** The maximum that is read before authorization: enough for the hidden fields of a form. */
const MAX_PREFACE_BYTES = 64 * 1024;

/** The fields that are read before authorization. */
const MAX_PREFACE_FIELDS = 100;

const prefaces = new WeakMap<Request, Parameters>();

/**
 * Reads the fields of a multipart body before its first file, and puts the bytes back. Forms send `_method` and `token`
 * there, and both are needed to authorize an upload before it is received. Until the body is read, these bytes take part in the memory
 * of unfinished bodies, and the oldest of too many lose their connections.
 */
export function createPrefaceReader(bodies: UnfinishedBodies): RequestHandler {
  return async (request, _response, next) => {
    const boundary = isMultipart(request) ? findBoundary(request.header('content-type') ?? '') : null;
    if (boundary !== null) {
      const body = bodies.begin(() => request.socket.destroy());
      request.once('close', body.end);
      prefaces.set(request, await peek(request, boundary, body));
    }
    next();
  };
}

/**
 * Returns the parameters that are available before authorization: the whole body of a form or JSON, the first fields of
 * multipart.
 */
export function getEarlyBody(request: Request): Parameters {
  const body: unknown = request.body;
  return isRecord(body) ? body : (prefaces.get(request) ?? {});
}

function findBoundary(contentType: string): string | null {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  return quoted ?? plain ?? null;
}

/** Reads the leading fields and puts the bytes back. @throws BadRequest if the client disconnects */
async function peek(request: Request, boundary: string, body: UnfinishedBody): Promise<Parameters> {
  let seen = Buffer.alloc(0);
  let found = parseLeadingFields(seen, boundary);
  while (!found.isOver && seen.length < MAX_PREFACE_BYTES) {
    const chunk: unknown = request.read();
    if (Buffer.isBuffer(chunk)) {
      body.add(chunk.length);
      seen = Buffer.concat([seen, chunk]);
      found = parseLeadingFields(seen, boundary);
    } else if (request.complete) break;
    else await waitForMore(request);
    // The bytes must be put back before the stream ends, which it does in the next tick.
    if (request.complete && request.readableLength === 0) break;
  }
  if (seen.length > 0) request.unshift(seen);
  return found.fields;
}

async function waitForMore(request: Request): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  try {
    await Promise.race([once(request, 'readable', { signal }), once(request, 'close', { signal })]);
  } catch {
    throw new BadRequest();
  } finally {
    waiting.abort();
  }
  if (request.destroyed) throw new BadRequest();
}

/** Parses the fields before the first file. `isOver` means that further bytes cannot add fields. */
function parseLeadingFields(bytes: Buffer, boundary: string): { fields: Parameters; isOver: boolean } {
  const fields: [string, string][] = [];
  const buildResult = (isOver: boolean) => ({ fields: Object.fromEntries(fields), isOver });
  const delimiter = `\r\n--${boundary}`;
  let at = bytes.indexOf(delimiter.slice(2));
  while (at !== -1) {
    const headers = bytes.indexOf('\r\n', at);
    const value = headers === -1 ? -1 : bytes.indexOf('\r\n\r\n', headers);
    const line = bytes.toString('latin1', at, headers === -1 ? bytes.length : headers);
    if (line === `--${boundary}--`) return buildResult(true);
    if (value === -1) return buildResult(false);
    const head = bytes.toString('utf8', headers, value);
    if (/;\s*filename\*?=/i.test(head)) return buildResult(true);
    const end = bytes.indexOf(delimiter, value + 4);
    const name = /;\s*name="([^"]*)"/i.exec(head)?.[1];
    if (end !== -1 && name !== undefined) fields.push([name, bytes.toString('utf8', value + 4, end)]);
    if (fields.length === MAX_PREFACE_FIELDS) return buildResult(true);
    at = end === -1 ? -1 : end + 2;
  }
  return buildResult(false);
}
