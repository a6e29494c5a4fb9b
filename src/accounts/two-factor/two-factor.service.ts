import type { Ctx } from '../../access/context';
import { TwoFactorInvalid } from '../../errors/errors';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { INVALID, InvalidResource, NotAuthorized, NotFound } from '../../platform/errors';
import { findDefaultStore } from '../stores/stores.repository';
import { provesPassword } from '../token-store/api-tokens.repository';
import { rejectEndedToken } from '../token-store/ended-token';
import { authorizeAccountChange } from '../users/account-policy';
import { checkCurrentPassword } from '../users/current-password';
import { lockUser } from '../users/users.repository';
import { hashRecoveryCode, limitOf, sealSecret, useCode, type CodeKinds } from './check-two-factor';
import { buildOtpauthUrl, generateRecoveryCodes, generateSecret } from './codes';
import type { NewTwoFactorJson, TwoFactorBeginning, TwoFactorJson } from './two-factor.schema';
import {
  deleteTwoFactor,
  enableTwoFactor,
  findTwoFactor,
  revokeOtherSessions,
  storeTwoFactor,
  type TwoFactorRow,
} from './two-factors.repository';

type SignedInActor = Exclude<Ctx['actor'], { kind: 'guest' }>;

/** Returns the user who sends the request. @throws NotAuthorized for guests and tokens with limits, which change no credentials */
function requireOwner({ actor }: Ctx): SignedInActor {
  if (actor.kind === 'guest') throw new NotAuthorized();
  authorizeAccountChange(actor, { id: actor.user_id, isStaff: actor.isStaff }, { password: true });
  return actor;
}

/** Locks the account of the request. @throws NotAuthorized if its token has ended since the request began */
async function lockOwner(ctx: Ctx, tx: Tx, userId: number): Promise<void> {
  await lockUser(tx, userId);
  await rejectEndedToken(tx, ctx.actor);
}

/** Uses a code of the own account up. @throws InvalidResource for a wrong one; TooManyAttempts */
async function useOwnCode(ctx: Ctx, factor: TwoFactorRow, code: string, kinds: CodeKinds): Promise<void> {
  try {
    await useCode(ctx, factor, code, kinds);
  } catch (error) {
    throw error instanceof TwoFactorInvalid ? new InvalidResource({ code: [INVALID] }) : error;
  }
}

/** Returns whether the account of the request has a second factor, and needs one. @throws NotAuthorized for guests */
export async function getTwoFactor(ctx: Ctx): Promise<TwoFactorJson> {
  const { actor } = ctx;
  if (actor.kind === 'guest') throw new NotAuthorized();
  const factor = await findTwoFactor(ctx.db, actor.user_id);
  const enabled = factor?.enabled_at != null;
  const store = actor.isStaff ? await findDefaultStore(ctx.db) : undefined;
  return {
    enabled,
    required: store?.require_two_factor === true,
    recovery_codes_left: enabled ? factor.recovery_hashes.length : 0,
  };
}

/** How long a sign-in shows that its holder knows the password: whoever steals the token later cannot lock the owner out. */
const RECENT_MS = 15 * 60_000;

/**
 * Begins the set-up: a new secret and new recovery codes, which replace earlier ones that were not confirmed. Sign-ins do not
 * need a code yet. Needs the current password unless the owner has just signed in with it.
 * @throws NotAuthorized; InvalidResource if a second factor is enabled, or as `checkCurrentPassword`
 */
export async function beginTwoFactor(
  ctx: Ctx,
  beginning: Pick<TwoFactorBeginning, 'current_password'>,
): Promise<NewTwoFactorJson> {
  const { user_id, email, token_id } = requireOwner(ctx);
  const isGiven = beginning.current_password != null;
  if (isGiven || !(await provesPassword(ctx.db, token_id, new Date(ctx.now().getTime() - RECENT_MS))))
    await checkCurrentPassword(ctx, user_id, beginning);
  const secret = generateSecret();
  const recovery_codes = generateRecoveryCodes();
  const store = await findDefaultStore(ctx.db);
  const isStored = await withTransaction(ctx, async (tx) => {
    await lockOwner(ctx, tx, user_id);
    const sealed_secret = sealSecret(ctx.secret, user_id, secret);
    return storeTwoFactor(tx, {
      user_id,
      sealed_secret,
      recovery_hashes: recovery_codes.map((code) => hashRecoveryCode(ctx.secret, user_id, code)),
    });
  });
  if (!isStored) throw new InvalidResource({ two_factor: ['is already enabled'] });
  return {
    secret,
    otpauth_url: buildOtpauthUrl(secret, { issuer: store?.name ?? 'Store', email }),
    recovery_codes,
  };
}

/**
 * Enables the second factor with a first code of the app. The other sign-ins of the account end, because they have none; API
 * tokens stay. @throws NotAuthorized; InvalidResource without a beginning, or for a wrong code; TooManyAttempts
 */
export async function confirmTwoFactor(ctx: Ctx, code: string): Promise<TwoFactorJson> {
  const { user_id, token_id } = requireOwner(ctx);
  const factor = await findTwoFactor(ctx.db, user_id);
  if (factor === undefined) throw new InvalidResource({ two_factor: ['is not begun'] });
  if (factor.enabled_at !== null) throw new InvalidResource({ two_factor: ['is already enabled'] });
  await useOwnCode(ctx, factor, code, { hasRecovery: false });
  await withTransaction(ctx, async (tx) => {
    await lockOwner(ctx, tx, user_id);
    const now = await findTwoFactor(tx, user_id);
    // Another request has begun anew in the meantime: its secret is not confirmed.
    if (now === undefined || !now.sealed_secret.equals(factor.sealed_secret))
      throw new InvalidResource({ code: [INVALID] });
    await enableTwoFactor(tx, user_id, ctx.now());
    await revokeOtherSessions(tx, { user_id, except: token_id }, ctx.now());
  });
  return getTwoFactor(ctx);
}

/** Removes the own second factor. @throws NotAuthorized; InvalidResource for a wrong code; NotFound without one; TooManyAttempts */
export async function endTwoFactor(ctx: Ctx, code: string): Promise<void> {
  const { user_id } = requireOwner(ctx);
  const factor = await findTwoFactor(ctx.db, user_id);
  if (factor?.enabled_at == null) throw new NotFound();
  await useOwnCode(ctx, factor, code, { hasRecovery: true });
  await withTransaction(ctx, async (tx) => {
    await lockOwner(ctx, tx, user_id);
    await deleteTwoFactor(tx, user_id);
  });
}

/** Removes the second factor of an account, for a user who has lost the app and the recovery codes. @throws NotFound */
export async function resetTwoFactor(ctx: Ctx, userId: number): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    if ((await lockUser(tx, userId)) === undefined) throw new NotFound();
    if ((await findTwoFactor(tx, userId)) === undefined) throw new NotFound();
    await deleteTwoFactor(tx, userId);
  });
  // Wrong codes of the lost app say nothing about the next one.
  await ctx.limits.clear(limitOf(userId));
}
