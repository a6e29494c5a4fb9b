import type { Router } from '../platform/http/endpoint';
import type { Access } from './access';
import type { Ctx } from './context';

/** The endpoints of one resource of the shop; `C` is the context that its use cases need. */
export type ApiRouter<C extends Ctx = Ctx> = Router<C, Access>;

/** Creates the router of a resource; `tag` is its heading in the reference. */
export function createApiRouter<C extends Ctx = Ctx>(tag: string): ApiRouter<C> {
  return { tag, endpoints: [] };
}
