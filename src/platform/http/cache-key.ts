import type { Request } from 'express';
import type { Parameters } from '../parameters';
import type { CredentialNames } from './credentials';
import type { EndpointDescription } from './endpoint';
import { prefersStrict } from './ignored-parameters';
import { isMultipart } from './upload';

/** A page of a feed also changes when a transaction ends, which no revision shows. */
export function isFeedRequest({ feed }: EndpointDescription, parameters: Parameters): boolean {
  return feed === true && ('cursor' in parameters || 'updated_since' in parameters);
}

/** Returns the cache key of a request; null if its reply must not be cached. */
export function buildCacheKey(
  request: Request,
  {
    isAdmin,
    parameters,
    credentials,
  }: { isAdmin: boolean; parameters: Parameters; credentials: CredentialNames },
): string | null {
  const hasBody = request.body !== undefined || isMultipart(request);
  const isStrict = prefersStrict(request.header('prefer'));
  if (hasBody || isStrict || credentials.parameter in parameters || request.originalUrl.length > 2000)
    return null;
  return `${isAdmin ? 'admin' : PUBLIC} ${request.originalUrl}`;
}

const PUBLIC = 'public';

/** Returns whether the cached reply with this key is one that all but admins get. */
export function isPublicReply(key: string): boolean {
  return key.startsWith(`${PUBLIC} `);
}
