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
 * @param prefix the path under which the endpoints are mounted
 */
export function rejectUnknownRoutes(
  endpoints: readonly Pick<EndpointDescription, 'method' | 'path'>[],
  prefix: string,
): RequestHandler {
  const paths = listPaths(endpoints);
  return (request) => {
    const isInside = request.path === prefix || request.path.startsWith(`${prefix}/`);
    const given = splitPath(isInside ? request.path.slice(prefix.length) : request.path);
    const known = isInside ? paths.filter((path) => matches(path, given)) : [];
    if (known.length > 0) {
      throw new UnknownMethod([...new Set(known.flatMap(({ methods }) => [...methods]))].sort());
    }
    const segments = withoutPrefix(given);
    const [similar = findSimilar(paths, segments)] = paths.filter((path) => matches(path, segments));
    const error = new UnknownRoute();
    throw similar === null ? error : error.withHint(`A similar path is ${prefix}${similar.pattern}.`);
  };
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
  return (
    path.segments.length === segments.length &&
    path.segments.every((segment, at) => isParameter(segment) || segment === segments[at]?.toLowerCase())
  );
}

/** Segments that are longer than any name of the API are not compared. */
const LONGEST_SEGMENT = 60;
const MOST_SEGMENTS = 8;

/**
 * Returns the most similar path; null if there is none. Every word may differ by a third of its letters; a first word
 * that exists is not replaced by another.
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

function compareSegments(known: readonly string[], words: readonly string[]): number {
  let sum = 0;
  for (const [at, segment] of known.entries()) {
    if (isParameter(segment)) {
      sum += 0.5; // prefer paths that name the word
      continue;
    }
    const difference = distance(segment, words[at] ?? '');
    if (difference > Math.max(2, segment.length / 3)) return Infinity;
    sum += difference;
  }
  return sum;
}
