import type { Ctx } from '../access/context';
import { clientOf, limitFailures } from '../access/limits';
import { InvalidCredentials } from '../errors/errors';
import { createTurns } from '../platform/turns';
import { verifyPassword, withPasswordSlot } from './passwords';
import { findSignInKeys, recordSuccess, type Attempt } from './sign-in-throttle';

/** Attempts from one address wait here, so that they take one slot at a time and refused ones take none. */
const inAddressTurn = createTurns({ waiting: 128, waitMs: 10_000 });

/**
 * Checks a password. An attempt counts while it is in progress, so those of an address run one at a time: visitors who share it and
 * know their passwords do not exceed its limit. Only failures count in the end. A null digest never matches, after the same
 * work.
 * @throws InvalidCredentials, TooManyAttempts; Unavailable while too many attempts wait
 */
export async function checkPassword(
  { limits }: Pick<Ctx, 'limits'>,
  attempt: Attempt,
  { digest, password }: { digest: string | null; password: string },
): Promise<void> {
  await inAddressTurn(clientOf(attempt.address), async () => {
    const keys = await findSignInKeys(limits, attempt);
    await limitFailures(limits, keys, {
      isFailure: (error) => error instanceof InvalidCredentials,
      work: async () => {
        const isRight = await withPasswordSlot(() => verifyPassword(digest, password));
        if (!isRight) throw new InvalidCredentials();
      },
    });
    await recordSuccess(limits, attempt, keys[0]);
  });
}
