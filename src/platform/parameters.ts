import qs from 'qs';
import { BadRequest, TooLarge } from './errors';

export type Parameters = Record<string, unknown>;

const MAX_DEPTH = 10;
/** Of a query string, and of a form. */
export const MAX_PARAMETERS = 1000;
const TOO_DEEP = 'The request parameters are nested too deeply.';
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** Returns whether the value is an object, but not null or an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is a record, otherwise an empty record. */
export function toRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

export type Scalar = string | number | boolean;

/** Returns whether the value is a text, a number or a boolean. */
export function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/**
 * Parses a query string or a form body in bracket notation. Indexes become keys (`a[0]` gives `{a: {0: …}}`), because
 * only a schema can distinguish a list from a map, such as `payment_source[1]` with an id as key. Empty brackets are a list:
 * `a[]` gives `{a: […]}`, and `a[][b]` a list of records, where it belongs to the record before, unless that has it already.
 * @throws BadRequest if nested deeper than 10 levels; TooLarge for more than 1000 parameters
 */
export function parseBrackets(text: string): Parameters {
  if (text === '') return {};
  if (text.split('&', MAX_PARAMETERS + 1).length > MAX_PARAMETERS) throw buildTooMany();
  try {
    const { numbered, lists } = numberRecords(text);
    const parsed = qs.parse(numbered, {
      depth: MAX_DEPTH,
      strictDepth: true,
      parameterLimit: MAX_PARAMETERS,
      arrayLimit: 0,
      duplicates: 'last',
    });
    // Lists inside of others are longer.
    for (const path of lists.sort((a, b) => b.length - a.length)) restoreList(parsed, path);
    return parsed;
  } catch {
    throw new BadRequest(TOO_DEEP);
  }
}

/** Builds the error of a query string or form with too many parameters. */
export function buildTooMany(): TooLarge {
  return new TooLarge('parameters').withHint(
    `A query string and a form have at most ${MAX_PARAMETERS} parameters. A JSON body may have more.`,
  );
}

/**
 * Replaces the empty brackets before a name (`a[][b]`) by indexes, as Rack counts them. Also returns the paths before all
 * empty brackets: `a`.
 */
function numberRecords(text: string): { numbered: string; lists: string[] } {
  if (!/(?:\[|%5B)(?:\]|%5D)/i.test(text)) return { numbered: text, lists: [] };
  const parameters = [...new URLSearchParams(text)];
  const records = new Map<string, Set<string>[]>();
  const numbered = parameters.map(([key, value]): [string, string] => {
    const [start = '', ...rest] = key.split('[][', MAX_DEPTH + 2);
    if (rest.length > MAX_DEPTH) throw new BadRequest(TOO_DEEP);
    return [
      rest.reduce((path, name, depth) => `${path}[${findRecord(path, rest.slice(depth))}][${name}`, start),
      value,
    ];
  });
  const ends = numbered.filter(([key]) => key.endsWith('[]'));
  return {
    numbered: records.size === 0 ? text : new URLSearchParams(numbered).toString(),
    lists: [...new Set([...ends.map(([key]) => key.slice(0, -2)), ...records.keys()])],
  };

  /** Returns the index of the record of the list at `path` to which the rest of a key belongs. */
  function findRecord(path: string, rest: readonly string[]): number {
    const list = records.get(path) ?? [new Set()];
    const name = rest.join('[][');
    if (!name.includes('[]') && list.at(-1)?.has(name) === true) list.push(new Set());
    list.at(-1)?.add(name);
    records.set(path, list);
    return list.length - 1;
  }
}

/** Makes the record with indexes at a path (`a[b]`) the list that it is. */
function restoreList(parsed: Parameters, path: string): void {
  const steps = path.replaceAll(']', '').split('[');
  const name = steps.pop() ?? '';
  const at = (holder: unknown, step: string) =>
    isRecord(holder) && Object.hasOwn(holder, step) ? holder[step] : null;
  const holder = steps.reduce<unknown>(at, parsed);
  const list = isRecord(at(holder, name)) ? toList(at(holder, name)) : null;
  if (isRecord(holder) && list !== null) holder[name] = list;
}

/** Query parameters that are objects. Generated clients and forms send them as JSON text, too. */
const OBJECTS = ['q', 'option', 'property'];
/** Query parameters that are lists. Generated clients repeat them. */
const LISTS = ['ids'];
/** Lists within such objects. */
const NAMED_LIST = /^(?:q\[\w*_(?:not_)?in\]|(?:option|property)\[[^[\]]+\])$/;

/**
 * Parses a query string as `parseBrackets` does. An object may also be JSON text (`q={"name_cont":"mug"}`), and a list
 * may be repeated (`ids=1&ids=2`, `q[id_in]=1&q[id_in]=2`). Of other repeated parameters the last one counts.
 * @param isRead whether the request only reads: others may have `property[presentation]`, which is no list but an attribute
 * @throws BadRequest, TooLarge
 */
export function parseQuery(text: string, isRead: boolean): Parameters {
  const query = parseBrackets(text);
  for (const name of OBJECTS) {
    const object = parseJsonRecord(query[name]);
    if (object !== null) query[name] = object;
  }
  for (const name of LISTS) {
    if (typeof query[name] === 'string') query[name] = new URLSearchParams(text).getAll(name).join(',');
  }
  for (const [key, values] of isRead ? findRepeatedLists(text) : []) {
    const [name = '', inner = ''] = key.slice(0, -1).split('[');
    const object = query[name];
    if (isRecord(object) && isScalar(object[inner])) query[name] = { ...object, [inner]: values };
  }
  return query;
}

/** Returns the values of lists within objects that are repeated, by name. */
function findRepeatedLists(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  if (!/(?:\]|%5D)=.*&/i.test(text)) return found;
  for (const [key, value] of new URLSearchParams(text))
    if (NAMED_LIST.test(key)) found.set(key, [...(found.get(key) ?? []), value]);
  for (const [key, values] of found) if (values.length < 2) found.delete(key);
  return found;
}

/** Returns the record that a JSON text contains; null for anything else. */
function parseJsonRecord(value: unknown): Record<string, unknown> | null {
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return null;
  try {
    const parsed: unknown = JSON.parse(value);
    return isRecord(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

/**
 * Merges parameters: the path overrides the body, and the body the query. Merges objects deeply; does not mutate its
 * arguments.
 */
export function mergeParameters(query: Parameters, body: unknown, path: Parameters): Parameters {
  const merged = deepMerge(clean(query, 0), isRecord(body) ? clean(body, 0) : {});
  return deepMerge(merged, path);
}

function deepMerge(low: Parameters, high: Parameters): Parameters {
  const merged: Parameters = { ...low };
  for (const [key, value] of Object.entries(high)) {
    const below = merged[key];
    merged[key] = isRecord(below) && isRecord(value) ? deepMerge(below, value) : value;
  }
  return merged;
}

function clean(record: Record<string, unknown>, depth: number): Parameters {
  if (depth > MAX_DEPTH) throw new BadRequest(TOO_DEEP);
  const cleaned: Parameters = {};
  for (const [key, value] of Object.entries(record)) {
    if (!FORBIDDEN_KEYS.has(key)) cleaned[key] = cleanValue(value, depth + 1);
  }
  return cleaned;
}

function cleanValue(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) {
    if (depth > MAX_DEPTH) throw new BadRequest(TOO_DEEP);
    return value.map((entry) => cleanValue(entry, depth + 1));
  }
  return isRecord(value) ? clean(value, depth) : value;
}

/**
 * Converts a list as clients send it: an array, an index-keyed object (in ascending order), or null and '' for an empty
 * list. Null for other values. Scripts of forms use the time in milliseconds as the index of a new row.
 */
export function toList(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return Array.from<unknown>(value);
  if (value === null || value === '') return [];
  if (!isRecord(value)) return null;
  const keys = Object.keys(value);
  if (!keys.every((key) => /^\d{1,15}$/.test(key))) return null;
  return keys.sort((a, b) => Number(a) - Number(b)).map((key) => value[key]);
}

const FALSE_WORDS = new Set(['false', 'f', '0', 'off', '']);

/** Reads a boolean as Rails does: false, "false", "f", "0", 0, "off" and "" are false, any other scalar is true. */
export function readBoolean(raw: unknown): boolean | null {
  if (!isScalar(raw)) return null;
  return !FALSE_WORDS.has(String(raw).toLowerCase());
}
