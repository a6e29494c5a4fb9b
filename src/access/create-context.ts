import type { Application, RequestFacts } from '../platform/http/handler';
import type { Access } from './access';
import { GUEST, type Actor } from './actor';
import type { Ctx, Deps } from './context';

/** Returns the actor that an API token identifies. @throws InvalidApiKey if the token is invalid */
export type Authenticate = (db: Deps['db'], token: string) => Promise<Actor>;

/**
 * Creates the function that creates the context of each request. It reads tokens from the headers `X-Store-Token` and
 * `X-Order-Token`, or from the parameters `token` and `order_token`.
 */
export function createContextFactory<D extends Deps>(
  deps: D,
  authenticate: Authenticate,
): Application<Ctx & D, Access>['createContext'] {
  return async (request) => {
    const token = request.header('x-store-token') ?? findTokenParameter(request);
    return {
      ...deps,
      actor: token === null ? GUEST : await authenticate(deps.db, token),
      orderToken: request.header('x-order-token') ?? request.parameter('order_token'),
      requestId: request.requestId,
      clientAddress: request.clientAddress,
    };
  };
}

/** Returns the parameter `token`; null for POST /sessions, which ignores it. */
function findTokenParameter({ route, parameter }: RequestFacts): string | null {
  return route === 'post /sessions' ? null : parameter('token');
}
