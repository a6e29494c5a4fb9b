import type { Ctx } from '../access/context';
import { isError } from '../platform/error-code';

interface SignIn {
  /** Null if no account has the e-mail address. */
  user_id: number | null;
  by: 'password' | 'password reset';
}

/** Runs a sign-in and logs its outcome: who and how, or why not, and never what was sent. */
export async function logSignIn<Result>(
  { log, requestId }: Pick<Ctx, 'log' | 'requestId'>,
  signIn: SignIn,
  work: () => Promise<Result>,
): Promise<Result> {
  const line = { request_id: requestId, ...signIn };
  try {
    const result = await work();
    log.info(line, 'signed in');
    return result;
  } catch (error) {
    log.info({ ...line, cause: isError(error) ? error.name : 'unknown' }, 'sign-in refused');
    throw error;
  }
}
