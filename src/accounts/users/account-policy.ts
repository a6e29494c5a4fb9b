import { NotAuthorized } from '../../platform/errors';
import { hasLimitedToken, isFullAdmin, type Actor } from '../../access/actor';

/** What is to be changed besides addresses. `identity` is the e-mail address, or the account's existence. */
interface AccountChange {
  password: boolean;
  identity: boolean;
}

/**
 * Authorizes the change of an account that the actor may see. Administrators change all accounts. Users change their own
 * one, but with a limited token neither password nor e-mail address, which would remove the limits. Other members of staff
 * change customers only, except for their passwords.
 * @throws NotAuthorized
 */
export function authorizeAccountChange(
  actor: Actor,
  account: { id: number; isStaff: boolean },
  { password, identity }: AccountChange,
): void {
  if (isFullAdmin(actor)) return;
  const isOwn = actor.kind !== 'guest' && actor.user_id === account.id;
  const isRefused = isOwn ? hasLimitedToken(actor) && (password || identity) : account.isStaff || password;
  if (isRefused) throw new NotAuthorized();
}
