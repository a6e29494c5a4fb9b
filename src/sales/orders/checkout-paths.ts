import type { Ctx } from '../context';
import type { ApiRouter } from '../../access/api-router';

/**
 * Adds the path /checkouts/:number/... to every endpoint under /orders/:number/: the same endpoint, with
 * the same access.
 */
export function addCheckoutPaths(router: ApiRouter<Ctx>): ApiRouter<Ctx> {
  return {
    ...router,
    endpoints: router.endpoints.flatMap((endpoint) => [endpoint, ...buildAliases(endpoint)]),
  };
}

type Endpoint = ApiRouter<Ctx>['endpoints'][number];

const ORDERS = '/orders/:number/';
const CHECKOUTS = '/checkouts/:number/';

function buildAliases(endpoint: Endpoint): Endpoint[] {
  const { method, route, path } = endpoint;
  if (!path.startsWith(ORDERS)) return [];
  const alias = path.replace(ORDERS, CHECKOUTS);
  return [
    {
      ...endpoint,
      route: `${method} ${alias as `/${string}`}`, // both paths begin with a slash
      path: alias,
      sameAs: { route, path },
    },
  ];
}
