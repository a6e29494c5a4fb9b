import { recordOf } from '../src/platform/http/parameters';

type Json = Record<string, unknown>;

/**
 * The paths of an OpenAPI document for those who make something of them, without what only repeats others: `PATCH`, which
 * works wherever `PUT` does, and the paths below /checkouts/{number}/ that answer as those below /orders/{number}/ do.
 */
export function pathsWithoutTwins(document: Json): Record<string, Json> {
  const paths = recordOf(document['paths']);
  const shown = Object.entries(paths).filter(([path]) => {
    const twin = path.replace('/checkouts/{number}/', '/orders/{number}/');
    return twin === path || paths[twin] === undefined;
  });
  return Object.fromEntries(
    shown.map(([path, operations]) => {
      const others = Object.entries(recordOf(operations)).filter(([method]) => method !== 'patch');
      return [path, Object.fromEntries(others)];
    }),
  );
}
