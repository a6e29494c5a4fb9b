import type { Router } from '../platform/http/endpoint';
import type { Access } from './access';
import type { Ctx } from './context';
import { ANY_TOKEN, type Area, type EndpointScope } from './scopes';

/** The endpoints of one resource of the shop; `C` is the context that its use cases need. */
export type ApiRouter<C extends Ctx = Ctx> = Router<C, Access>;

/**
 * Creates the router of a resource; `tag` is its heading in the reference. The scope of each endpoint is `<area>:read`
 * for GET and `<area>:write` for other methods, or else what `area` names for both.
 */
export function createApiRouter<C extends Ctx = Ctx>(
  tag: string,
  area: Area | typeof ANY_TOKEN | Record<'read' | 'write', EndpointScope>,
): ApiRouter<C> {
  return { tag, scopes: buildScopes(area), endpoints: [] };
}

function buildScopes(area: Parameters<typeof createApiRouter>[1]): Record<'read' | 'write', EndpointScope> {
  if (typeof area === 'object') return area;
  if (area === ANY_TOKEN) return { read: ANY_TOKEN, write: ANY_TOKEN };
  return { read: `${area}:read`, write: `${area}:write` };
}
