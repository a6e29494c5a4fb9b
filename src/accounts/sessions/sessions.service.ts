import { InvalidCredentials } from '../../errors/errors';
import { NotAuthorized } from '../../platform/errors';
import type { Ctx } from '../../access/context';
import { withTransaction } from '../../platform/database/transaction';
import { revokeApiToken } from '../token-store/api-tokens.repository';
import { issueSessionToken } from '../token-store/issue-token';
import { checkPassword } from '../check-password';
import { checkSecondFactor, rejectNewFactor } from '../two-factor/check-two-factor';
import { nameSignInAuthor } from '../sign-in-author';
import { logSignIn } from '../sign-in-log';
import type { Attempt } from '../sign-in-throttle';
import {
  findCredentials,
  findPasswordDigest,
  findUserGraph,
  type UserGraph,
} from '../users/users.repository';
import type { SessionAttributes } from './sessions.schema';

/**
 * Signs in with e-mail (case-insensitive) and password. Returns a new token each time.
 * @throws InvalidCredentials, after the same work whether or not the account exists
 * @throws TwoFactorRequired, TwoFactorInvalid if the account has a second factor
 * @throws TooManyAttempts for correct passwords too; Unavailable if too many sign-ins are waiting
 */
export async function signIn(
  ctx: Ctx,
  { email, password, otp }: Pick<SessionAttributes, 'email' | 'password' | 'otp'>,
): Promise<{ token: string; user: UserGraph }> {
  const address = email.trim();
  const known = await findCredentials(ctx.db, address);
  const attempt: Attempt = {
    // By id if the account exists: only PostgreSQL decides which spellings of an e-mail are equal.
    account: known === undefined ? `email:${address.toLowerCase()}` : `user:${known.id}`,
    address: ctx.clientAddress,
  };
  return logSignIn(ctx, { user_id: known?.id ?? null, by: 'password' }, async () => {
    await checkPassword(ctx, attempt, { digest: known?.password_digest ?? null, password });
    if (known === undefined) throw new InvalidCredentials();
    const factor = await checkSecondFactor(ctx, known.id, otp ?? null);
    return withTransaction(await nameSignInAuthor(ctx, known.id), async (tx) => {
      // The new token refers to the user, so this waits for changes of the password and of the second factor, which end tokens.
      const { token } = await issueSessionToken(tx, known.id, 'sign-in');
      const digest = await findPasswordDigest(tx, known.id);
      const user = await findUserGraph(tx, known.id);
      if (user === undefined || digest !== known.password_digest) throw new InvalidCredentials();
      await rejectNewFactor(tx, known.id, factor);
      return { token, user };
    });
  });
}

/** Revokes the token of the request. @throws NotAuthorized for guests */
export async function signOut(ctx: Ctx): Promise<void> {
  const { actor } = ctx;
  if (actor.kind === 'guest') throw new NotAuthorized();
  await withTransaction(ctx, (tx) =>
    revokeApiToken(tx, { user_id: actor.user_id, id: actor.token_id }, ctx.now()),
  );
}
