import { once } from 'node:events';
import type { Request, RequestHandler } from 'express';
import { BadRequest } from '../errors';
import { isRecord, type Parameters } from './parameters';
import { isMultipart } from './upload';

/** As much of a body as is looked at ahead of time: room for the hidden fields of a form, not for a file. */
const MAX_PREFACE_BYTES = 64 * 1024;

const prefaces = new WeakMap<Request, Parameters>();

/**
 * Reads the fields that a multipart body begins with, up to its first file, and puts the bytes back: forms name the verb
 * (`_method`) and the key (`token`) there, and both are needed before it is known whether an upload may be received.
 */
export const readPreface: RequestHandler = (request, _response, next) => {
  const boundary = isMultipart(request) ? findBoundary(request.header('content-type') ?? '') : null;
  if (boundary === null) {
    next();
    return;
  }
  peek(request, boundary).then((fields) => {
    prefaces.set(request, fields);
    next();
  }, next);
};

/** What the body says before the caller's permission is known: all of a form or of JSON, the beginning of multipart. */
export function earlyBody(request: Request): Parameters {
  const body: unknown = request.body;
  return isRecord(body) ? body : (prefaces.get(request) ?? {});
}

function findBoundary(contentType: string): string | null {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  return quoted ?? plain ?? null;
}

/** @throws BadRequest when the client hangs up */
async function peek(request: Request, boundary: string): Promise<Parameters> {
  let seen = Buffer.alloc(0);
  let found = parseLeadingFields(seen, boundary);
  while (!found.isOver && seen.length < MAX_PREFACE_BYTES) {
    const chunk: unknown = request.read();
    if (Buffer.isBuffer(chunk)) {
      seen = Buffer.concat([seen, chunk]);
      found = parseLeadingFields(seen, boundary);
    } else if (request.complete) break;
    else await waitForMore(request);
    // What was read last must go back before the stream has told its end, which it does in the next tick.
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

/** The plain fields before the first file; `isOver` when nothing that follows could add to them. */
function parseLeadingFields(bytes: Buffer, boundary: string): { fields: Parameters; isOver: boolean } {
  const fields: [string, string][] = [];
  const ending = (isOver: boolean) => ({ fields: Object.fromEntries(fields), isOver });
  const delimiter = `\r\n--${boundary}`;
  let at = bytes.indexOf(delimiter.slice(2));
  while (at !== -1) {
    const headers = bytes.indexOf('\r\n', at);
    const value = headers === -1 ? -1 : bytes.indexOf('\r\n\r\n', headers);
    const line = bytes.toString('latin1', at, headers === -1 ? bytes.length : headers);
    if (line === `--${boundary}--`) return ending(true);
    if (value === -1) return ending(false);
    const head = bytes.toString('utf8', headers, value);
    if (/;\s*filename\*?=/i.test(head)) return ending(true);
    const end = bytes.indexOf(delimiter, value + 4);
    const name = /;\s*name="([^"]*)"/i.exec(head)?.[1];
    if (end !== -1 && name !== undefined) fields.push([name, bytes.toString('utf8', value + 4, end)]);
    at = end === -1 ? -1 : end + 2;
  }
  return ending(false);
}
