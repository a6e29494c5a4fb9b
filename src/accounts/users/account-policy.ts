import { NotAuthorized } from '../../platform/errors';
import { hasLimitedToken, isFullAdmin, type Actor } from '../../access/actor';

/** What is to be changed besides addresses. `existence`: the account is deleted. */
interface AccountChange {
  password?: boolean;
  email?: boolean;
  existence?: boolean;
}

/**
 * Authorizes the change of an account that the actor may see. Administrators change all accounts. Users change their own
 * one, but with a limited token neither password nor e-mail address, which would remove the limits. Other members of staff
 * change customers only, except for their passwords and e-mail addresses, which would open the accounts to them.
 * @throws NotAuthorized
 */
export function authorizeAccountChange(
  actor: Actor,
  account: { id: number; isStaff: boolean },
  { password = false, email = false, existence = false }: AccountChange,
): void {
  if (isFullAdmin(actor)) return;
  const isOwn = actor.kind !== 'guest' && actor.user_id === account.id;
  const isCredential = password || email;
  const isRefused = isOwn
    ? hasLimitedToken(actor) && (isCredential || existence)
    : account.isStaff || isCredential;
  if (isRefused) throw new NotAuthorized();
}
