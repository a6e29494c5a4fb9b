import { NotAuthorized } from '../platform/errors';
import type { Actor } from './actor';

/**
 * Who may call an endpoint, declared with it as `access` (behaviour reference 2):
 * - anyone: guests too; what they see is decided by the resource (visibility)
 * - signed_in: any user
 * - admin: admins; all others are refused before the record is looked up
 * - order: the order's owner, the holder of its token, and admins; decided on the loaded order (authorization.ts)
 * - self: the user in the path, and admins; for all others that user does not exist
 * - admin_within: admins; others get 404 first when they may not see the parent record. The use case refuses.
 */
export type Access = 'anyone' | 'signed_in' | 'admin' | 'order' | 'self' | 'admin_within';

/**
 * Refuses callers who may not call an endpoint of this access at all, before anything is looked up. Where the record
 * decides (`order`, `self`, `admin_within`) everyone passes.
 * @throws NotAuthorized
 */
export function authorizeCall(access: Access, actor: Actor): void {
  if (access === 'admin' && actor.kind !== 'admin') throw new NotAuthorized();
  if (access === 'signed_in' && actor.kind === 'guest') throw new NotAuthorized();
}
