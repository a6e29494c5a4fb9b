import type { Request } from 'express';
import { BadRequest, UnsupportedMediaType } from '../errors';
import { isRecord } from '../parameters';
import type { EndpointDescription } from './endpoint';
import { isMultipart } from './upload';

const AS_JSON = 'The body was not read as JSON. Send it with Content-Type: application/json.';
const AS_PART = 'The body was not read. Send a file as a part of a multipart/form-data body.';

/**
 * Refuses a request whose body was not read, or not as what it is: its attributes would be missing without a word.
 * @throws UnsupportedMediaType; BadRequest for a form that is JSON text
 */
export function refuseUnreadBody(
  request: Request,
  { input, upload }: Pick<EndpointDescription, 'input' | 'upload'>,
): void {
  if ((input === undefined && upload === undefined) || !hasBody(request) || isMultipart(request)) return;
  if (request.body === undefined)
    throw new UnsupportedMediaType().withHint(isFile(request) ? AS_PART : AS_JSON);
  if (isForm(request) && isJsonText(request.body)) throw new BadRequest().withHint(AS_JSON);
}

const hasBody = (request: Request): boolean =>
  Number(request.header('content-length') ?? 0) > 0 || request.header('transfer-encoding') !== undefined;

/** Whether the body is a file by its Content-Type. */
const isFile = (request: Request): boolean =>
  typeof request.is(['image/*', 'text/csv', 'application/octet-stream']) === 'string';

const isForm = (request: Request): boolean => request.is('application/x-www-form-urlencoded') !== false;

/** Whether the fields of a form are JSON text: many clients send a text as a form by default. */
function isJsonText(fields: unknown): boolean {
  return isRecord(fields) && /^\s*[{[]/.test(Object.keys(fields)[0] ?? '');
}
