import type { ApiRouter, Endpoint } from '../../platform/http/endpoint';
import { checkoutTwin } from '../../access/policy';

/**
 * What belongs to an order answers below /checkouts/:number as well (behaviour 12.1): the same endpoint by a second
 * path, so that there is nothing to keep alike.
 */
export function alsoUnderCheckouts(router: ApiRouter): ApiRouter {
  return { ...router, endpoints: router.endpoints.flatMap((endpoint) => [endpoint, ...twinsOf(endpoint)]) };
}

function twinsOf(endpoint: Endpoint): Endpoint[] {
  const route = checkoutTwin(endpoint.route);
  if (route === null) return [];
  const path = route.slice(route.indexOf(' ') + 1);
  return [{ ...endpoint, route, path, description: `The same as ${endpoint.path}.` }];
}
