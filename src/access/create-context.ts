import type { Application, RequestFacts } from '../platform/http/handler';
import type { Access } from './access';
import { GUEST, type Actor } from './actor';
import type { Ctx, Deps } from './context';

/** Finds the holder of an API token. @throws InvalidApiKey when there is none */
export type Authenticate = (db: Deps['db'], token: string) => Promise<Actor>;

/**
 * Builds the context of each request. Tokens come in the headers `X-Store-Token` and `X-Order-Token`, or in the
 * parameters `token` and `order_token`.
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

/** Null at POST /sessions, where the parameter has no meaning (behaviour reference 3.1, 12). */
function findTokenParameter({ route, parameter }: RequestFacts): string | null {
  return route === 'post /sessions' ? null : parameter('token');
}
