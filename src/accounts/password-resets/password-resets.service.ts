import type { Ctx } from '../../access/context';
import { clientOf, limitFailures, LIMITS } from '../../access/limits';
import { generateToken, hashToken } from '../../access/tokens';
import { INVALID, InvalidResource, requireFound } from '../../platform/errors';
import { withTransaction } from '../../platform/database/transaction';
import { checkNewPassword, hashPassword } from '../passwords';
import { checkSecondFactor, rejectNewFactor } from '../two-factor/check-two-factor';
import { nameSignInAuthor } from '../sign-in-author';
import { logSignIn } from '../sign-in-log';
import { clearFailures } from '../sign-in-throttle';
import { buildStoreUrl, findSender } from '../stores/sender';
import { revokeOtherApiTokens } from '../token-store/api-tokens.repository';
import { issueSessionToken } from '../token-store/issue-token';
import { checkConfirmation } from '../users/password-confirmation';
import {
  findUser,
  findUserByEmail,
  findUserGraph,
  holdUserByEmail,
  lockUser,
  updateUser,
  type UserGraph,
} from '../users/users.repository';
import {
  deletePasswordReset,
  deletePasswordResets,
  findUserOfReset,
  insertPasswordReset,
} from '../password-resets.repository';
import type { PasswordResetInput } from './password-resets.schema';

const VALID_MS = 60 * 60 * 1000;

/**
 * Mails a link that sets a new password, if an account has the e-mail address (case-insensitive). Does the same work if none
 * has; the queue sends the mail.
 * @throws TooManyAttempts, for known and unknown addresses alike
 */
export async function requestPasswordReset(ctx: Ctx, email: string): Promise<void> {
  const address = email.trim();
  const known = await findUserByEmail(ctx.db, address);
  await ctx.limits.take([
    // By id if the account exists: only PostgreSQL decides which spellings of an e-mail are equal.
    {
      limit: LIMITS.resetOfAccount,
      key: known === undefined ? `email:${address.toLowerCase()}` : `user:${known.id}`,
    },
    { limit: LIMITS.resetFromAddress, key: clientOf(ctx.clientAddress) },
  ]);
  const token = generateToken();
  const store = await findSender(ctx.db);
  await withTransaction(ctx, async (tx) => {
    // Another address ends the resets of the account, so it must not change between this and the reset.
    const user = await holdUserByEmail(tx, address);
    await insertPasswordReset(tx, {
      user_id: user?.id ?? null,
      token_hash: hashToken(token),
      expires_at: new Date(ctx.now().getTime() + VALID_MS),
    });
    const link = buildStoreUrl(store, `/password?token=${token}`);
    ctx.mailer.post(tx, 'password_reset', { to: user?.email ?? '', link });
  });
}

/**
 * Sets a new password with the token of a mail, which works once, and signs in. All other tokens of the user end, API tokens too.
 * Locks the user.
 * @throws TwoFactorRequired, TwoFactorInvalid if the account has a second factor: a mail alone opens no such account
 * @throws InvalidResource for an unknown, used or expired token; TooManyAttempts after too many of them
 */
export async function resetPassword(
  ctx: Ctx,
  input: PasswordResetInput,
): Promise<{ token: string; user: UserGraph }> {
  checkConfirmation(input);
  const tokenHash = hashToken(input.token);
  const invalid = new InvalidResource({ token: [INVALID] });
  const userId = await limitFailures(
    ctx.limits,
    [{ limit: LIMITS.resetFromAddress, key: clientOf(ctx.clientAddress) }],
    {
      isFailure: (error) => error === invalid,
      work: async () => {
        const found = await findUserOfReset(ctx.db, tokenHash, ctx.now());
        if (found === null) throw invalid;
        return found;
      },
    },
  );
  const session = await logSignIn(ctx, { user_id: userId, by: 'password reset' }, () =>
    changePassword(ctx, { userId, tokenHash, input, invalid }),
  );
  await clearFailures(ctx.limits, userId);
  return session;
}

interface Change {
  userId: number;
  tokenHash: ReturnType<typeof hashToken>;
  input: PasswordResetInput;
  /** Of a token that another request has used meanwhile. */
  invalid: InvalidResource;
}

/** Changes the password and signs in. */
async function changePassword(
  ctx: Ctx,
  { userId, tokenHash, input, invalid }: Change,
): Promise<{ token: string; user: UserGraph }> {
  // Before a code is used up.
  const { email } = requireFound(await findUser(ctx.db, userId));
  await checkNewPassword(ctx.db, { password: input.password, email });
  const factor = await checkSecondFactor(ctx, userId, input.otp ?? null);
  const password_digest = await hashPassword(input.password);
  return withTransaction(await nameSignInAuthor(ctx, userId), async (tx) => {
    // Requests with the same token wait here; the second one finds the token used.
    await lockUser(tx, userId);
    if (!(await deletePasswordReset(tx, tokenHash))) throw invalid;
    await rejectNewFactor(tx, userId, factor);
    await deletePasswordResets(tx, userId);
    await updateUser(tx, userId, { password_digest });
    await revokeOtherApiTokens(tx, { user_id: userId, except: null }, ctx.now());
    const { token } = await issueSessionToken(tx, userId, 'sign-in');
    const user = await findUserGraph(tx, userId);
    if (user === undefined) throw invalid;
    return { token, user };
  });
}
