import { isBlank } from '../../platform/blank';
import { createSealedBox } from '../../platform/sealed-box';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import type { Ctx } from '../../access/context';
import { limitFailures, LIMITS } from '../../access/limits';
import { TwoFactorInvalid, TwoFactorRequired } from '../../errors/errors';
import { nameSignInAuthor } from '../sign-in-author';
import { findStep, normalizeRecoveryCode } from './codes';
import { findTwoFactor, useRecoveryCode, useStep, type TwoFactorRow } from './two-factors.repository';

const boxOf = (storeSecret: Buffer) => createSealedBox(storeSecret, 'two-factor');
const contextOf = (userId: number): Buffer => Buffer.from(`user ${userId}`);

/** Encrypts the secret of an account with the key of the store. */
export function sealSecret(storeSecret: Buffer, userId: number, secret: string): Buffer {
  return boxOf(storeSecret).seal(Buffer.from(secret), contextOf(userId));
}

/** Returns the keyed hash of a recovery code, as stored. */
export function hashRecoveryCode(storeSecret: Buffer, userId: number, code: string): Buffer {
  return boxOf(storeSecret).digest(`user ${userId} ${normalizeRecoveryCode(code)}`);
}

/**
 * Checks the second factor of a sign-in whose password is right. Accounts without one pass. The code is used up.
 * @returns the factor, for `rejectNewFactor`; null without one
 * @throws TwoFactorRequired without a code; TwoFactorInvalid; TooManyAttempts after too many wrong codes of the account
 */
export async function checkSecondFactor(
  ctx: Ctx,
  userId: number,
  otp: string | null,
): Promise<TwoFactorRow | null> {
  const factor = await findTwoFactor(ctx.db, userId);
  if (factor?.enabled_at == null) return null;
  if (isBlank(otp)) throw new TwoFactorRequired();
  await useCode(await nameSignInAuthor(ctx, userId), factor, otp, { hasRecovery: true });
  return factor;
}

/**
 * Rejects a sign-in if its account has enabled another second factor since `checkSecondFactor`. Expects a lock of the user, for
 * which enabling waits. @throws TwoFactorRequired
 */
export async function rejectNewFactor(tx: Tx, userId: number, checked: TwoFactorRow | null): Promise<void> {
  const factor = await findTwoFactor(tx, userId);
  if (factor?.enabled_at == null) return;
  if (checked?.sealed_secret.equals(factor.sealed_secret) !== true) throw new TwoFactorRequired();
}

/** The limit of wrong codes of an account. */
export const limitOf = (userId: number) => ({ limit: LIMITS.twoFactorOfAccount, key: `user:${userId}` });

/** Which codes count besides the codes of the app. */
export interface CodeKinds {
  hasRecovery: boolean;
}

/**
 * Uses a code of the app or a recovery code up. Right passwords do not forget wrong codes, or whoever knows the password could
 * try all of them. @throws TwoFactorInvalid; TooManyAttempts
 */
export async function useCode(ctx: Ctx, factor: TwoFactorRow, code: string, kinds: CodeKinds): Promise<void> {
  const limited = limitOf(factor.user_id);
  await limitFailures(ctx.limits, [limited], {
    isFailure: (error) => error instanceof TwoFactorInvalid,
    work: async () => {
      if (!(await isUsable(ctx, factor, code, kinds))) throw new TwoFactorInvalid();
    },
  });
  await ctx.limits.clear(limited);
}

async function isUsable(
  ctx: Ctx,
  { user_id, sealed_secret }: TwoFactorRow,
  code: string,
  { hasRecovery }: CodeKinds,
): Promise<boolean> {
  const secret = boxOf(ctx.secret).open(sealed_secret, contextOf(user_id)).toString();
  const step = findStep(secret, code, ctx.now());
  if (step === null && !hasRecovery) return false;
  return withTransaction(ctx, (tx) =>
    step === null
      ? useRecoveryCode(tx, user_id, hashRecoveryCode(ctx.secret, user_id, code))
      : useStep(tx, user_id, step),
  );
}
