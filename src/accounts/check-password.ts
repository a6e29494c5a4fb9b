import type { Ctx } from '../access/context';
import { limitFailures } from '../access/limits';
import { InvalidCredentials } from '../errors/errors';
import { verifyPassword, withPasswordSlot } from './passwords';
import { findSignInKeys, recordSuccess, type Attempt } from './sign-in-throttle';

/**
 * Checks a password. Counting happens inside the slot, so that the attempts in progress are few. Only failures count. A null
 * digest never matches, after the same work.
 * @throws InvalidCredentials, TooManyAttempts
 */
export async function checkPassword(
  { limits }: Pick<Ctx, 'limits'>,
  attempt: Attempt,
  { digest, password }: { digest: string | null; password: string },
): Promise<void> {
  await withPasswordSlot(async () => {
    const keys = await findSignInKeys(limits, attempt);
    await limitFailures(limits, keys, {
      isFailure: (error) => error instanceof InvalidCredentials,
      work: async () => {
        if (!(await verifyPassword(digest, password))) throw new InvalidCredentials();
      },
    });
    await recordSuccess(limits, attempt, keys[0]);
  });
}
