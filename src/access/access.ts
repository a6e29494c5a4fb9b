import { NotAuthorized } from '../platform/errors';
import type { Actor } from './actor';

/**
 * Who may call an endpoint, declared with it as `access`:
 * - anyone: everyone, including guests; the resource decides what is visible
 * - signed_in: any user
 * - admin: admins; other actors are rejected before the record is loaded
 * - order: the order's owner, anyone who presents its token, and admins; checked on the loaded order (authorization.ts)
 * - self: the user in the path, and admins; other actors get 404
 * - admin_within: admins; other actors get 404 if the parent record is not visible to them, otherwise 401. The use case checks it.
 */
export type Access = 'anyone' | 'signed_in' | 'admin' | 'order' | 'self' | 'admin_within';

/**
 * Authorizes the call of an endpoint before any record is loaded. If access depends on the record (`order`, `self`,
 * `admin_within`), all actors pass.
 * @throws NotAuthorized
 */
export function authorizeCall(access: Access, actor: Actor): void {
  if (access === 'admin' && actor.kind !== 'admin') throw new NotAuthorized();
  if (access === 'signed_in' && actor.kind === 'guest') throw new NotAuthorized();
}
