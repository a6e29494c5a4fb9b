import express, { type RequestHandler } from 'express';
import { readPreface } from './multipart-preface';
import { parseBrackets } from './parameters';

const LIMIT = '1mb';

/**
 * JSON and form bodies of up to 1 MiB become `request.body`. Of multipart only what precedes the first file is looked at;
 * the rest waits until the caller's permission is known. Anything else is not read.
 */
export function createBodyParsers(): RequestHandler[] {
  return [
    express.json({ limit: LIMIT, strict: false, type: ['application/json', 'application/*+json'] }),
    express.text({ limit: LIMIT, type: 'application/x-www-form-urlencoded' }),
    (request, _response, next) => {
      if (request.is('application/x-www-form-urlencoded') && typeof request.body === 'string') {
        request.body = parseBrackets(request.body);
      }
      next();
    },
    readPreface,
  ];
}
