import type { EndpointDescription } from '../http/endpoint';

/**
 * Lists the values of X-Error-Code that are specific to an operation: those that follow from its access, path and
 * input, then `own`. Codes that every operation may return, such as `overloaded`, are omitted.
 */
export function listErrorCodes(
  { access, path, input, query, method }: EndpointDescription,
  own: readonly string[],
): string[] {
  const writes = method !== 'get';
  return [
    ...new Set([
      ...(access === 'anyone' ? ['invalid_api_key'] : ['not_authorized']),
      ...(path.includes(':') ? ['not_found'] : []),
      ...(writes && (input !== undefined || query !== undefined) ? ['invalid_resource'] : []),
      ...own,
      ...(writes ? ['conflict'] : []),
    ]),
  ];
}
