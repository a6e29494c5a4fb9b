import { NotAuthorized } from '../platform/errors';
import type { Method } from '../platform/http/endpoint';
import { isFullAdmin, type Actor } from './actor';

/**
 * Who may call an endpoint, declared with it as `access`. An admin is a member of staff with the scope of the endpoint.
 * - anyone: everyone, including guests; the resource decides what is visible
 * - signed_in: any user
 * - admin: admins; other actors are rejected before the record is loaded
 * - full_admin: administrators whose token has no limits
 * - order: the order's owner, anyone who presents its token, and admins; checked on the loaded order (authorization.ts)
 * - self: the user in the path, and admins; other actors get 404
 * - admin_within: admins; other actors get 404 if the parent record is not visible to them, otherwise 401. The use case
 *   checks it.
 */
export type Access = 'anyone' | 'signed_in' | 'admin' | 'full_admin' | 'order' | 'self' | 'admin_within';

/**
 * Authorizes the call of an endpoint before any record is loaded. If access depends on the record (`order`, `self`,
 * `admin_within`), all actors pass. A token without the scope of the endpoint is rejected, except where a guest may
 * read or an order token may decide.
 * @throws NotAuthorized
 */
export function authorizeCall({ access, method }: { access: Access; method: Method }, actor: Actor): void {
  if (actor.kind === 'guest') {
    const isLoadedFirst = access === 'order' || access === 'admin_within';
    const isOpen = access === 'anyone' && (method === 'get' || actor.isOutOfScope !== true);
    const isHidden = access === 'self' && actor.isOutOfScope !== true;
    if (!isLoadedFirst && !isOpen && !isHidden) throw new NotAuthorized();
  }
  if (access === 'admin' && actor.kind !== 'admin') throw new NotAuthorized();
  if (access === 'full_admin' && !isFullAdmin(actor)) throw new NotAuthorized();
}
