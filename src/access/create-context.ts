import type { Application, RequestFacts } from '../platform/http/application';
import type { Access } from './access';
import { buildActor, GUEST, type TokenHolder } from './actor';
import { findRequestAuthor } from './authors';
import type { Ctx, Deps } from './context';
import { isOrderPath, takeOrderTokenAttempt } from './failed-order-tokens';
import { InvalidApiKey, TwoFactorSetupRequired } from '../errors/errors';
import { CREDENTIALS } from './credentials';

/** Returns the user of an API token and what both may do. @throws InvalidApiKey if the token is invalid */
export type Authenticate = (db: Deps['db'], token: string) => Promise<TokenHolder>;

/** Returns the one of these tokens that is the token of the order with this number; null if none is. */
export type FindOrderToken = (
  db: Deps['db'],
  number: string,
  presented: readonly (string | null)[],
) => Promise<string | null>;

/** The functions by which the credentials of a request are checked. */
export interface CredentialChecks {
  authenticate: Authenticate;
  findOrderToken: FindOrderToken;
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
  // A spread that adds properties makes each object one of a class of its own, which takes 2 KB and several microseconds. All
  // properties are therefore present from the beginning, and only replaced.
  const template: Ctx & D = {
    ...deps,
    actor: GUEST,
    orderToken: null,
    requestId: '',
    clientAddress: '',
    author: undefined,
    transactionHooks: undefined,
    revision: undefined,
    noteCost: undefined,
  };
  return async (request) => {
    const { actor, orderToken } = await readCredentials(deps, checks, request);
    const { requestId, clientAddress } = request;
    const author = findRequestAuthor(actor, request) ?? undefined;
    return { ...template, actor, orderToken, requestId, clientAddress, author };
  };
}

/**
 * @throws InvalidApiKey if the API token is invalid and the request has no valid token of the order in its path;
 * TwoFactorSetupRequired
 */
async function readCredentials(
  { db, limits }: Pick<Deps, 'db' | 'limits'>,
  checks: CredentialChecks,
  request: RequestFacts,
): Promise<Credentials> {
  const token = request.header(CREDENTIALS.header) ?? findTokenParameter(request);
  const orderToken = await readOrderToken(db, checks, request);
  if (token === null) return { actor: GUEST, orderToken };
  try {
    const holder = await checks.authenticate(db, token);
    if (holder.lacksTwoFactor === true && !WITHOUT_TWO_FACTOR.has(request.route))
      throw new TwoFactorSetupRequired();
    return { actor: buildActor(holder, request.scope), orderToken };
  } catch (error) {
    if (!(error instanceof InvalidApiKey)) throw error;
    const presented = [orderToken, request.parameter(CREDENTIALS.orderParameter), token];
    const number = request.pathParameter('number');
    // Older storefronts send the order token as the API token, or together with an API token that is no longer valid.
    const valid = number === null ? null : await checks.findOrderToken(db, number, presented);
    const isGuess = orderToken !== null || isOrderPath(request.route.replace(/^\S+ /, ''));
    if (valid === null && number !== null && isGuess) await takeOrderTokenAttempt(limits, request);
    if (valid === null) throw error;
    return { actor: GUEST, orderToken: valid };
  }
}

/** Returns the order token of the request. Of two different ones, it is the token of the order in the path that counts. */
async function readOrderToken(
  db: Deps['db'],
  { findOrderToken }: CredentialChecks,
  request: RequestFacts,
): Promise<string | null> {
  const inHeader = request.header(CREDENTIALS.orderHeader);
  const inParameter = request.parameter(CREDENTIALS.orderParameter);
  const number = request.pathParameter('number');
  const isCertain = inHeader === null || inParameter === null || inHeader === inParameter || number === null;
  const found = isCertain ? null : await findOrderToken(db, number, [inHeader, inParameter]);
  return found ?? inHeader ?? inParameter;
}

/** What members of staff may do who still have to set up the second factor. */
const WITHOUT_TWO_FACTOR = new Set([
  ...['get /users/me', 'get /users/me/two_factor', 'post /users/me/two_factor', 'put /users/me/two_factor'],
  ...['delete /sessions', 'post /sessions'],
]);

/** Signing in ignores API tokens in the parameter `token`; for a new password it is the token of a mail. */
const WITHOUT_TOKEN_PARAMETER = new Set(['post /sessions', 'put /passwords']);

/** Returns the parameter `token`; null for routes that do not read it as an API token. */
function findTokenParameter({ route, parameter }: RequestFacts): string | null {
  return WITHOUT_TOKEN_PARAMETER.has(route) ? null : parameter(CREDENTIALS.parameter);
}
