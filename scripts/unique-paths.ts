import { toRecord } from '../src/platform/parameters';

type Json = Record<string, unknown>;

/**
 * Returns the paths of an OpenAPI document without duplicates, for generators: without `PATCH`, which is the same as `PUT`,
 * and without the paths below /checkouts/{number}/ that duplicate those below /orders/{number}/.
 */
export function selectUniquePaths(document: Json): Record<string, Json> {
  const paths = toRecord(document['paths']);
  const unique = Object.entries(paths).filter(([path]) => {
    const orderPath = path.replace('/checkouts/{number}/', '/orders/{number}/');
    return orderPath === path || paths[orderPath] === undefined;
  });
  return Object.fromEntries(
    unique.map(([path, operations]) => {
      const others = Object.entries(toRecord(operations)).filter(([method]) => method !== 'patch');
      return [path, Object.fromEntries(others)];
    }),
  );
}
