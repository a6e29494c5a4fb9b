import type { Ctx } from '../../access/context';
import { InvalidCredentials } from '../../errors/errors';
import { BLANK, INVALID, InvalidResource } from '../../platform/errors';
import { checkPassword } from '../check-password';
import { attemptOf } from '../sign-in-throttle';
import { authorizeAccountChange } from './account-policy';
import { findPasswordDigest } from './users.repository';
import type { UserChanges } from './users.schema';

/**
 * Checks that users who change how they sign in know the current password, so that a stolen token is not
 * enough. Failures count as failed sign-ins.
 * @throws NotAuthorized for a token with limits; InvalidResource for a missing or wrong password; TooManyAttempts
 */
export async function checkCurrentPassword(
  ctx: Ctx,
  id: number,
  { current_password }: Pick<UserChanges, 'current_password'>,
): Promise<void> {
  const { actor } = ctx;
  if (actor.kind === 'guest' || actor.user_id !== id) return;
  authorizeAccountChange(actor, { id, isStaff: false }, { password: true, email: true });
  if (current_password == null || current_password === '') {
    throw new InvalidResource({ current_password: [BLANK] });
  }
  const digest = await findPasswordDigest(ctx.db, id);
  try {
    await checkPassword(ctx, attemptOf(id, ctx.clientAddress), { digest, password: current_password });
  } catch (error) {
    throw error instanceof InvalidCredentials ? new InvalidResource({ current_password: [INVALID] }) : error;
  }
}
