import type { Request, RequestHandler } from 'express';
import { BadRequest } from '../errors';
import { isRecord, parseBrackets } from '../parameters';
import { describeJsonError } from './json-error';
import { countKeys } from './json-shape';
import { createPrefaceReader } from './multipart-preface';
import { createSlots } from '../slots';
import { readBody, type IsStaff } from './read-body';
import { createUnfinishedBodies } from './unfinished-bodies';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPES = ['application/json', 'application/*+json'];

/** In bytes, of all requests together. */
const MOST_UNFINISHED = 64 * 1024 * 1024;
/** Large bodies of shoppers are received and parsed one at a time, because they take as long as many requests. */
const TURNS = { concurrency: 1, waiting: 50, waitMs: 10_000 };

const keyCounts = new WeakMap<Request, number>();
const texts = new WeakMap<Request, string>();

/** Returns the text of a body as it was received; empty unless it was kept. */
export function getBodyText(request: Request): string {
  return texts.get(request) ?? '';
}

/** Returns the number of keys and list entries of a JSON body; 0 for other bodies. */
export function getKeyCount(request: Request): number {
  return keyCounts.get(request) ?? 0;
}

/**
 * Creates the middleware that parses JSON and form bodies into `request.body`: up to 1 MiB, 16 KiB for reads. Of multipart
 * bodies, it reads only the fields before the first file; the rest is read after authorization. Other bodies are not read.
 * @param keepsText of which requests the text is kept for `getBodyText`
 */
export function createBodyParsers(
  isStaff: IsStaff,
  keepsText: (request: Request) => boolean,
): RequestHandler[] {
  const reading = { bodies: createUnfinishedBodies(MOST_UNFINISHED), isStaff, turns: createSlots(TURNS) };
  const parse: RequestHandler = async (request, _response, next) => {
    const type = request.is([...JSON_TYPES, FORM]);
    if (typeof type === 'string') {
      const text = await readBody(request, reading);
      if (keepsText(request)) texts.set(request, text);
      request.body = type === FORM ? parseBrackets(text) : parseJson(request, text);
    }
    next();
  };
  return [parse, createPrefaceReader(reading.bodies)];
}

/** An empty body counts as an empty record. @throws BadRequest also if it is a list or a single value; TooLarge */
function parseJson(request: Request, text: string): unknown {
  if (text === '') return {};
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    const hint = describeJsonError(text);
    throw hint === null ? new BadRequest() : new BadRequest().withHint(hint);
  }
  keyCounts.set(request, countKeys(json));
  // Some languages send an empty object as an empty list.
  if (isRecord(json) || json === null || (Array.isArray(json) && json.length === 0)) return json;
  throw new BadRequest().withHint(NO_OBJECT);
}

const NO_OBJECT =
  'The body is a JSON object, such as {"line_item": {"variant_id": 1}} or {"rows": []}; lists are within it.';
