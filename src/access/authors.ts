import type { RequestFacts } from '../platform/http/application';
import type { Author } from '../platform/database/transaction';
import type { Actor } from './actor';

/**
 * Returns the author of the changes that a member of staff makes by a request, also as a customer, such as of the own account;
 * null for other actors.
 */
export function findRequestAuthor(
  actor: Actor,
  { requestId, clientAddress }: Pick<RequestFacts, 'requestId' | 'clientAddress'>,
): Author | null {
  if (actor.kind === 'guest' || !actor.isStaff) return null;
  return {
    user_id: actor.user_id,
    user_email: actor.email,
    api_token_name: actor.token_name,
    request_id: requestId,
    address: clientAddress,
  };
}

/** Returns the author of the changes of a request that proves who the user is without an API token. */
export function buildSignInAuthor(
  { id, email }: { id: number; email: string },
  { requestId, clientAddress }: Pick<RequestFacts, 'requestId' | 'clientAddress'>,
): Author {
  return {
    user_id: id,
    user_email: email,
    api_token_name: null,
    request_id: requestId,
    address: clientAddress,
  };
}

/** Returns the author of changes that no user makes: a job or the command line. */
export function buildProgramAuthor(name: string): Author {
  return { user_id: null, user_email: name, api_token_name: null, request_id: null, address: null };
}
