import type { Router } from '../platform/http/endpoint';
import type { Access } from './access';
import type { Ctx } from './context';

/** The endpoints of one resource of the shop. */
export type ApiRouter = Router<Ctx, Access>;

/** Starts a resource's list of endpoints; `tag` is its heading in the reference. */
export function apiRouter(tag: string): ApiRouter {
  return { tag, endpoints: [] };
}
