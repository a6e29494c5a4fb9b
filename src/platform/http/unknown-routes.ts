import type { RequestHandler } from 'express';
import { distance } from 'fastest-levenshtein';
import { UnknownMethod, UnknownRoute } from '../errors';
import type { EndpointDescription } from './endpoint';

/** A path of the API and its methods. */
interface KnownPath {
  pattern: string;
  segments: string[];
  methods: Set<string>;
}

/**
 * Creates the middleware for requests that no endpoint handles. It reports the methods of a path that exists, or a path
 * that is similar.
 */
export function rejectUnknownRoutes(
  endpoints: readonly Pick<EndpointDescription, 'method' | 'path'>[],
  { prefix, otherPaths }: UnknownRoutesOptions,
): RequestHandler {
  const paths = listPaths(endpoints);
  return (request) => {
    const isInside = request.path === prefix || request.path.startsWith(`${prefix}/`);
    const given = splitPath(isInside ? request.path.slice(prefix.length) : request.path);
    const known = isInside ? paths.filter((path) => matches(path, given)) : [];
    if (known.length > 0) {
      const methods = [...new Set(known.flatMap((path) => [...path.methods]))].sort();
      const elsewhere = findNested(paths, given, request.method);
      const also = elsewhere === null ? '' : ` ${request.method} ${prefix}${elsewhere.pattern} is another.`;
      throw new UnknownMethod(methods).withHint(`The path accepts ${methods.join(', ')}.${also}`);
    }
    const segments = withoutPrefix(given);
    const [same] = paths.filter((path) => matches(path, segments));
    const other = same === undefined ? findOtherPath(paths, segments, otherPaths) : null;
    const similar =
      same ??
      (other === null ? (findSimilar(paths, segments) ?? findNested(paths, segments, request.method)) : null);
    const hint =
      similar === null
        ? (other ?? listBelow(paths, segments, prefix))
        : `A similar path is ${prefix}${similar.pattern}.`;
    throw hint === null ? new UnknownRoute() : new UnknownRoute().withHint(hint);
  };
}

/** Finds the path of a list below a record that ends in the same word: taxons are created below a taxonomy. */
function findNested(
  paths: readonly KnownPath[],
  segments: readonly string[],
  method: string,
): KnownPath | null {
  const [word = ''] = segments;
  if (segments.length !== 1) return null;
  return (
    paths.find(
      ({ segments: known, methods }) =>
        known.length > 1 && known.at(-1) === word.toLowerCase() && methods.has(method),
    ) ?? null
  );
}

/** More paths than this are not listed. */
const MOST_BELOW = 12;

/**
 * Lists the paths below the one that is requested, or beside it, if they differ only in their last word, such as the names of
 * reports; null if there are none or many.
 */
function listBelow(paths: readonly KnownPath[], segments: readonly string[], prefix: string): string | null {
  for (const above of [segments, segments.slice(0, -1)]) {
    const below = paths.filter(
      (path) => path.segments.length > above.length && above.length > 0 && matchesFirst(path, above),
    );
    const isListed = below.every(({ segments: known }) => known.length === above.length + 1);
    if (
      below.length > 0 &&
      below.length <= MOST_BELOW &&
      isListed &&
      below.every(({ segments: known }) => !isParameter(known.at(-1) ?? ''))
    )
      return `Paths below ${prefix}/${below[0]?.segments.slice(0, -1).join('/')} are ${below.map(({ segments: known }) => known.at(-1)).join(', ')}.`;
  }
  return null;
}

interface UnknownRoutesOptions {
  /** The path under which the endpoints are mounted. */
  prefix: string;
  /** Sentences on where to find what a word of a path means in other programs; of the empty word for the path itself. */
  otherPaths: Readonly<Record<string, string>>;
}

/**
 * Returns the sentence on the first word that is no word of the API at its place; null if that word has none, or is a word
 * of the API with a typing error.
 */
function findOtherPath(
  paths: readonly KnownPath[],
  segments: readonly string[],
  otherPaths: UnknownRoutesOptions['otherPaths'],
): string | null {
  const words = segments.length === 0 ? [''] : segments.map((segment) => segment.toLowerCase());
  const isPlural = paths.some(
    ({ segments: known }) => known[0] === `${words[0]}s` && known.length === words.length,
  );
  if (isPlural) return null;
  let fitting = paths;
  for (const [at, word] of words.entries()) {
    fitting = fitting.filter((path) => {
      const segment = path.segments[at];
      return segment !== undefined && (isParameter(segment) || segment === word);
    });
    const isLast = at === words.length - 1;
    const isWord = fitting.some(
      ({ segments: known }) => known[at] === word && (!isLast || known.length === words.length),
    );
    if (!isWord && Object.hasOwn(otherPaths, word)) return otherPaths[word] ?? null;
    if (fitting.length === 0) return null;
  }
  return null;
}

function listPaths(endpoints: readonly Pick<EndpointDescription, 'method' | 'path'>[]): KnownPath[] {
  const paths = new Map<string, KnownPath>();
  for (const { method, path } of endpoints) {
    const known = paths.get(path) ?? { pattern: path, segments: splitPath(path), methods: new Set() };
    paths.set(path, known);
    known.methods.add(method.toUpperCase());
    if (method === 'get') known.methods.add('HEAD');
    if (method === 'put') known.methods.add('PATCH');
  }
  return [...paths.values()];
}

const splitPath = (path: string): string[] => path.split('/').filter((segment) => segment !== '');

/** Removes the segments of a wrong or repeated prefix, such as `api` or `v2`. */
function withoutPrefix(segments: readonly string[]): string[] {
  const first = segments.findIndex((segment) => !/^(api|v\d+)$/i.test(segment));
  return first === -1 ? [] : segments.slice(first);
}

const isParameter = (segment: string): boolean => segment.startsWith(':');

function matches(path: KnownPath, segments: readonly string[]): boolean {
  return path.segments.length === segments.length && matchesFirst(path, segments);
}

/** Whether the path begins with these segments. */
function matchesFirst(path: KnownPath, segments: readonly string[]): boolean {
  return segments.every((word, at) => {
    const segment = path.segments[at] ?? '';
    return isParameter(segment) || segment === word.toLowerCase();
  });
}

/** Segments that are longer than any name of the API are not compared. */
const LONGEST_SEGMENT = 60;
const MOST_SEGMENTS = 8;

/**
 * Returns the most similar path; null if there is none. Words may differ by a typing error; a first word that exists is not
 * replaced by another.
 */
function findSimilar(paths: readonly KnownPath[], segments: readonly string[]): KnownPath | null {
  if (segments.length > MOST_SEGMENTS || segments.some(({ length }) => length > LONGEST_SEGMENT)) return null;
  const words = segments.map((segment) => segment.toLowerCase());
  const ofResource = paths.filter((path) => path.segments[0] === words[0]);
  const [nearest] = (ofResource.length > 0 ? ofResource : paths)
    .filter((path) => path.segments.length === words.length)
    .map((path) => ({ path, difference: compareSegments(path.segments, words) }))
    .filter(({ difference }) => difference < Infinity)
    .sort((a, b) => a.difference - b.difference);
  return nearest?.path ?? null;
}

/** A letter in short words, two in long ones, and the ending of a plural. */
function mostDifference(known: string, word: string): number {
  if (`${word}s` === known || word === `${known}s`) return 1;
  const length = Math.min(known.length, word.length);
  return length < 4 ? 0 : length < 8 ? 1 : 2;
}

function compareSegments(known: readonly string[], words: readonly string[]): number {
  let sum = 0;
  for (const [at, segment] of known.entries()) {
    if (isParameter(segment)) {
      sum += 0.5; // prefer paths that name the word
      continue;
    }
    const difference = distance(segment, words[at] ?? '');
    if (difference > mostDifference(segment, words[at] ?? '')) return Infinity;
    sum += difference;
  }
  return sum;
}
