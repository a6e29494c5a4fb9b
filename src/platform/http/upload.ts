import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Request, Response } from 'express';
import multer, { MulterError } from 'multer';
import { BadRequest, DomainError, INVALID, InvalidResource, TooLarge } from '../errors';
import { toDiskError } from '../storage/disk-space';
import { readErrorCode } from '../error-code';
import { buildTemporaryPath } from '../temporary-files';
import { buildTooMany, MAX_PARAMETERS, parseBrackets, type Parameters } from '../parameters';

/** A received file in a temporary folder. It is always deleted at the end of the request. */
export interface UploadedFile {
  path: string;
  original_name: string;
  size: number;
}

const MEBIBYTE = 1024 * 1024;
/** The default maximum size of a file. */
export const MAX_UPLOAD_BYTES = 10 * MEBIBYTE;

/** The file that an endpoint accepts: its part, and its maximum size. */
export interface AcceptedUpload {
  part: string;
  maxBytes: number;
}

/** The maximum size of a body without its file, as for JSON bodies. */
const MAX_FIELDS_BYTES = MEBIBYTE;

/** How long to wait for the rest of a rejected body. */
const DISCARD_MS = 5_000;

/** Returns whether the request has a multipart body that is not empty. */
export function isMultipart(request: Request): boolean {
  return request.header('content-length') !== '0' && typeof request.is('multipart/form-data') === 'string';
}

/**
 * Receives a multipart body: its fields, and the accepted file (null if files are not accepted). Ignores other
 * bodies. Call it only after authorization. If it throws, the file is removed.
 * @throws TooLarge; InvalidResource for additional files or files of another part; BadRequest if the body is malformed
 */
export async function receiveMultipart(
  request: Request,
  response: Response,
  accepted: AcceptedUpload | null,
): Promise<{ fields: Parameters; file: UploadedFile | null }> {
  if (!isMultipart(request)) return { fields: {}, file: null };
  const part = accepted?.part ?? null;
  const fileSize = accepted?.maxBytes ?? 0;
  const maxBytes = MAX_FIELDS_BYTES + fileSize;
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new TooLarge('content-length');
  const received = new URLSearchParams();
  const uploads = multer(buildUploadOptions({ fileSize, maxBytes, received }));
  const middleware = part === null ? uploads.none() : uploads.single(part);
  await new Promise<void>((resolve, reject) => {
    void middleware(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(toRefusal(error, part));
    });
  });
  // Not the body of multer, whose brackets differ from those of forms.
  const fields = parseBrackets(received.toString());
  const file = request.file;
  if (file === undefined) return { fields, file: null };
  return { fields, file: { path: file.path, original_name: file.originalname, size: file.size } };
}

/** Removes a received file, if it still exists. */
export async function discardUpload(file: UploadedFile | null): Promise<void> {
  if (file !== null) await rm(file.path, { force: true });
}

/**
 * Reads and discards the rest of the body of a rejected request. A client whose connection is closed while it sends
 * would not receive the reply.
 */
export async function discardBody(request: Request): Promise<void> {
  if (request.complete || request.destroyed) return;
  const ended = finished(request, {
    writable: false,
    signal: AbortSignal.timeout(DISCARD_MS),
    cleanup: true,
  });
  request.resume();
  await ended.catch(() => undefined); // the client is gone or too slow
}

type UploadOptions = multer.Options & {
  /** Connects the request to the parser. Missing in the types of multer. */
  streamHandler: (request: Request, parser: Writable) => void;
};

interface Reception {
  fileSize: number;
  maxBytes: number;
  /** Gets the fields. */
  received: URLSearchParams;
}

function buildUploadOptions({ fileSize, maxBytes, received }: Reception): UploadOptions {
  return {
    storage: multer.diskStorage({
      destination: (_request, _file, done) => done(null, tmpdir()),
      filename: (_request, _file, done) => done(null, path.basename(buildTemporaryPath())),
    }),
    limits: {
      fileSize,
      files: 1,
      fields: MAX_PARAMETERS,
      parts: MAX_PARAMETERS + 1,
      fieldSize: MAX_FIELDS_BYTES,
      fieldNameSize: 200,
      headerPairs: 20,
    },
    defParamCharset: 'utf8',
    streamHandler: (request, parser) => {
      parser.on('field', (name: string, value: string) => {
        // The parser puts U+FFFD in the place of bytes that are not UTF-8, such as letters of Latin-1.
        if (`${name}${value}`.includes('\ufffd'))
          parser.destroy(new BadRequest().withHint('Send the fields in UTF-8.'));
        received.append(name, value);
      });
      let size = 0;
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) parser.destroy(new TooLarge('multipart body'));
      });
      request.pipe(parser);
    },
  };
}

const TOO_LARGE = new Set(['LIMIT_FILE_SIZE', 'LIMIT_FIELD_VALUE']);
const TOO_MANY = new Set(['LIMIT_FIELD_COUNT', 'LIMIT_PART_COUNT']);
const WRONG_FILES = new Set(['LIMIT_UNEXPECTED_FILE', 'LIMIT_FILE_COUNT']);

/** Converts an error of multer to an error of the API. Other errors of the disk remain internal errors. */
function toRefusal(error: unknown, part: string | null): Error {
  if (error instanceof TooLarge || error instanceof BadRequest) return error;
  if (error instanceof MulterError) {
    if (TOO_LARGE.has(error.code)) return new TooLarge(error.code);
    if (TOO_MANY.has(error.code)) return buildTooMany();
    if (WRONG_FILES.has(error.code)) {
      const refusal = new InvalidResource({ [findField(part)]: [INVALID] });
      return refusal.withHint(
        part === null ? 'Files are not accepted here.' : `Send one file, in the part ${part}.`,
      );
    }
    return new BadRequest();
  }
  const refusal = toDiskError(error);
  if (refusal instanceof DomainError) return refusal;
  const code = readErrorCode(error);
  return code === null ? new BadRequest() : new Error(`upload failed: ${code}`, { cause: error });
}

/** Returns the field name of a part in error replies: `attachment` for `image[attachment]`. */
function findField(part: string | null): string {
  return part === null ? 'base' : (/\[(\w+)\]$/.exec(part)?.[1] ?? part);
}
