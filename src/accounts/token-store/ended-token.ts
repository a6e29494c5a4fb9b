import { NO_TOKEN, type Actor } from '../../access/actor';
import { NotAuthorized } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { hasEnded } from './api-tokens.repository';

/**
 * Rejects a change of credentials whose token has ended since the request began, for example by a new password of its user. Expects
 * the user of the change locked. @throws NotAuthorized
 */
export async function rejectEndedToken(tx: Tx, actor: Actor): Promise<void> {
  const hasToken = actor.kind !== 'guest' && actor.token_id !== NO_TOKEN;
  if (hasToken && (await hasEnded(tx, actor.token_id))) throw new NotAuthorized();
}
