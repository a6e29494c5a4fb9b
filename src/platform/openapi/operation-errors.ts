import type { EndpointDescription } from '../http/endpoint';

/**
 * Lists the values of X-Error-Code that are specific to an operation: those that follow from its access, path and
 * input, then `own`. Codes that every operation may return, such as `overloaded`, are omitted.
 */
export function listErrorCodes(
  { access, scope, path, input, query, feed, method }: EndpointDescription,
  own: readonly string[],
): string[] {
  const writes = method !== 'get';
  const isOpen = access === 'anyone';
  const readsInput = input !== undefined || query !== undefined || feed === true;
  return [
    ...new Set([
      ...(isOpen ? ['invalid_api_key'] : []),
      // Tokens with limits count as guests only in reads.
      ...(isOpen && (!writes || !scope.includes(':')) ? [] : ['not_authorized']),
      ...(path.includes(':') ? ['not_found'] : []),
      ...(readsInput ? ['invalid_resource'] : []),
      ...own,
      ...(writes ? ['conflict'] : []),
    ]),
  ];
}
