import type { Application, RequestFacts } from '../platform/http/handler';
import type { Access } from './access';
import { GUEST, type Actor } from './actor';
import type { Ctx, Deps } from './context';
import { InvalidApiKey } from '../errors/errors';

/** Returns the actor that an API token identifies. @throws InvalidApiKey if the token is invalid */
export type Authenticate = (db: Deps['db'], token: string) => Promise<Actor>;

/** Returns whether `token` is the token of the order with this number. */
export type IsOrderToken = (db: Deps['db'], number: string, token: string) => Promise<boolean>;

/** The functions by which the credentials of a request are checked. */
export interface CredentialChecks {
  authenticate: Authenticate;
  isOrderToken: IsOrderToken;
}

/** Who sends a request, and the order token that they present. */
type Credentials = Pick<Ctx, 'actor' | 'orderToken'>;

/**
 * Creates the function that creates the context of each request. It reads tokens from the headers `X-Store-Token` and
 * `X-Order-Token`, or from the parameters `token` and `order_token`.
 */
export function createContextFactory<D extends Deps>(
  deps: D,
  checks: CredentialChecks,
): Application<Ctx & D, Access>['createContext'] {
  return async (request) => ({
    ...deps,
    ...(await readCredentials(deps.db, checks, request)),
    requestId: request.requestId,
    clientAddress: request.clientAddress,
  });
}

/** @throws InvalidApiKey if the API token is invalid and the request has no valid token of the order in its path */
async function readCredentials(
  db: Deps['db'],
  checks: CredentialChecks,
  request: RequestFacts,
): Promise<Credentials> {
  const token = request.header('x-store-token') ?? findTokenParameter(request);
  const orderToken = request.header('x-order-token') ?? request.parameter('order_token');
  if (token === null) return { actor: GUEST, orderToken };
  try {
    return { actor: await checks.authenticate(db, token), orderToken };
  } catch (error) {
    if (!(error instanceof InvalidApiKey)) throw error;
    const presented = [orderToken, request.parameter('order_token'), token];
    const valid = await findOrderToken(db, checks, request.pathParameter('number'), presented);
    if (valid === null) throw error;
    return { actor: GUEST, orderToken: valid };
  }
}

/**
 * Finds the token of the order in the path. Older storefronts send it as the API token, or together with one that is no
 * longer valid; they act as the holder of the order token.
 */
async function findOrderToken(
  db: Deps['db'],
  { isOrderToken }: CredentialChecks,
  number: string | null,
  presented: readonly (string | null)[],
): Promise<string | null> {
  if (number === null) return null;
  for (const token of presented) {
    if (token !== null && (await isOrderToken(db, number, token))) return token;
  }
  return null;
}

/** Returns the parameter `token`; null for POST /sessions, which ignores it. */
function findTokenParameter({ route, parameter }: RequestFacts): string | null {
  return route === 'post /sessions' ? null : parameter('token');
}
