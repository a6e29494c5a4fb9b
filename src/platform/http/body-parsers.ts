import express, { type RequestHandler } from 'express';
import { readPreface } from './multipart-preface';
import { parseBrackets } from '../parameters';

const LIMIT = '1mb';

/**
 * Creates the middleware that parses JSON and form bodies of up to 1 MiB into `request.body`. Of multipart bodies, it
 * reads only the fields before the first file; the rest is read after authorization. Other bodies are not read.
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
