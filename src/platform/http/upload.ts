import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Request, Response } from 'express';
import multer from 'multer';
import { isRecord } from './parameters';

/** A file received into a temporary place; deleted when the request is over, whatever became of it. */
export interface UploadedFile {
  path: string;
  original_name: string;
  size: number;
}

const MEBIBYTE = 1024 * 1024;
export const MAX_UPLOAD_BYTES = 10 * MEBIBYTE;

const uploads = multer({
  storage: multer.diskStorage({
    destination: (_request, _file, done) => done(null, tmpdir()),
    filename: (_request, _file, done) => done(null, `store-upload-${randomUUID()}`),
  }),
  limits: {
    fileSize: MAX_UPLOAD_BYTES,
    files: 1,
    fields: 100,
    parts: 101,
    fieldSize: MEBIBYTE,
    fieldNameSize: 200,
  },
});

/** Whether the request carries a multipart body. */
export function isMultipart(request: Request): boolean {
  return typeof request.is('multipart/form-data') === 'string';
}

/**
 * Reads a multipart body: its fields, and the one file of part `part` (null part: no file is taken). Anything
 * else than multipart is left to the body parsers. Call only after the caller's permission was checked.
 * @throws multer errors, which the error table answers with 413 or 422
 */
export async function receiveMultipart(
  request: Request,
  response: Response,
  part: string | null,
): Promise<{ fields: Record<string, unknown>; file: UploadedFile | null }> {
  if (!isMultipart(request)) return { fields: {}, file: null };
  const middleware = part === null ? uploads.none() : uploads.single(part);
  await new Promise<void>((resolve, reject) => {
    // Express types the error argument of `next` loosely; multer passes an Error or nothing.
    void middleware(request, response, (error?: unknown) =>
      error instanceof Error ? reject(error) : resolve(),
    );
  });
  const body: unknown = request.body;
  const fields = isRecord(body) ? (plain(body) as Record<string, unknown>) : {}; // a record stays a record
  const file = request.file;
  if (file === undefined) return { fields, file: null };
  return { fields, file: { path: file.path, original_name: file.originalname, size: file.size } };
}

/** Removes a received file; fine when it is gone already. */
export async function discardUpload(file: UploadedFile | null): Promise<void> {
  if (file !== null) await rm(file.path, { force: true });
}

/** multer's objects have no prototype and its lists may have holes; both become what JSON would have given. */
function plain(value: unknown): unknown {
  if (Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plain(entry)]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plain(entry)]));
}
