import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Request, Response } from 'express';
import multer, { MulterError } from 'multer';
import { BadRequest, INVALID, InvalidResource, TooLarge } from '../errors';
import { readErrorCode } from '../error-code';
import { buildTemporaryPath } from '../temporary-files';
import { isRecord } from './parameters';

/** A file received into a temporary place; deleted when the request is over, whatever became of it. */
export interface UploadedFile {
  path: string;
  original_name: string;
  size: number;
}

const MEBIBYTE = 1024 * 1024;
const MAX_UPLOAD_BYTES = 10 * MEBIBYTE;

/** All of a body but its file, as JSON bodies may be no larger either. */
const MAX_FIELDS_BYTES = MEBIBYTE;

/** How long the rest of a refused body is waited for, and thrown away. */
const DISCARD_MS = 5_000;

/** Whether the request carries a multipart body; nothing at all is none, whatever it is called. */
export function isMultipart(request: Request): boolean {
  return request.header('content-length') !== '0' && typeof request.is('multipart/form-data') === 'string';
}

/**
 * Reads a multipart body: its fields, and the one file of part `part` (null part: no file is taken). Anything
 * else than multipart is left to the body parsers. Call only after the caller's permission was checked.
 * When it throws, nothing of the file is left.
 * @throws TooLarge, InvalidResource for a file too many or of another part, BadRequest for what is not multipart
 */
export async function receiveMultipart(
  request: Request,
  response: Response,
  part: string | null,
): Promise<{ fields: Record<string, unknown>; file: UploadedFile | null }> {
  if (!isMultipart(request)) return { fields: {}, file: null };
  const maxBytes = MAX_FIELDS_BYTES + (part === null ? 0 : MAX_UPLOAD_BYTES);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new TooLarge('content-length');
  const uploads = multer(uploadOptions(maxBytes));
  const middleware = part === null ? uploads.none() : uploads.single(part);
  await new Promise<void>((resolve, reject) => {
    void middleware(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(toRefusal(error, part));
    });
  });
  const body: unknown = request.body;
  const fields = isRecord(body) ? (toPlain(body) as Record<string, unknown>) : {}; // a record stays a record
  const file = request.file;
  if (file === undefined) return { fields, file: null };
  return { fields, file: { path: file.path, original_name: file.originalname, size: file.size } };
}

/** Removes a received file; fine when it is gone already. */
export async function discardUpload(file: UploadedFile | null): Promise<void> {
  if (file !== null) await rm(file.path, { force: true });
}

/**
 * Takes what is still coming of a refused request's body and keeps none of it. A client that is answered, and then
 * cut off, while it still sends would never see the answer.
 */
export async function discardBody(request: Request): Promise<void> {
  if (request.complete || request.destroyed) return;
  const ended = finished(request, {
    writable: false,
    signal: AbortSignal.timeout(DISCARD_MS),
    cleanup: true,
  });
  request.resume();
  await ended.catch(() => undefined); // gone, or too slow: there is nobody to be polite to
}

type UploadOptions = multer.Options & {
  /** Known to multer, not to its types: connects the request with the parser. */
  streamHandler: (request: Request, parser: Writable) => void;
};

function uploadOptions(maxBytes: number): UploadOptions {
  return {
    storage: multer.diskStorage({
      destination: (_request, _file, done) => done(null, tmpdir()),
      filename: (_request, _file, done) => done(null, path.basename(buildTemporaryPath())),
    }),
    limits: {
      fileSize: MAX_UPLOAD_BYTES,
      files: 1,
      fields: 100,
      parts: 101,
      fieldSize: MAX_FIELDS_BYTES,
      fieldNameSize: 200,
      headerPairs: 20,
    },
    defParamCharset: 'utf8',
    streamHandler: (request, parser) => {
      let received = 0;
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received > maxBytes) parser.destroy(new TooLarge('multipart body'));
      });
      request.pipe(parser);
    },
  };
}

const TOO_LARGE = new Set(['LIMIT_FILE_SIZE', 'LIMIT_FIELD_VALUE']);
const WRONG_FILES = new Set(['LIMIT_UNEXPECTED_FILE', 'LIMIT_FILE_COUNT']);

/** What reading a multipart body failed with, as a refusal. An error of the disk stays what it is: ours. */
function toRefusal(error: unknown, part: string | null): Error {
  if (error instanceof TooLarge) return error;
  if (error instanceof MulterError) {
    if (TOO_LARGE.has(error.code)) return new TooLarge(error.code);
    if (WRONG_FILES.has(error.code)) return new InvalidResource({ [findField(part)]: [INVALID] });
    return new BadRequest();
  }
  const code = readErrorCode(error);
  return code === null ? new BadRequest() : new Error(`upload failed: ${code}`, { cause: error });
}

/** `image[attachment]` is `attachment` in error replies. */
function findField(part: string | null): string {
  return part === null ? 'base' : (/\[(\w+)\]$/.exec(part)?.[1] ?? part);
}

/** multer's objects have no prototype and its lists may have holes; both become what JSON would have given. */
function toPlain(value: unknown): unknown {
  if (Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, toPlain(entry)]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, toPlain(entry)]));
}
