import { InvalidCredentials } from '../../errors/errors';
import { NotAuthorized } from '../../platform/errors';
import type { Ctx } from '../../access/context';
import { withTransaction } from '../../platform/database/transaction';
import { revokeApiToken } from '../api-tokens/api-tokens.repository';
import { issueToken } from '../api-tokens/issue-token';
import { withPasswordSlot, verifyPassword } from '../passwords';
import { findCredentials, findUserGraph, type UserGraph } from '../users/users.repository';
import type { SessionAttributes } from './sessions.schema';
import { admitAttempt, recordFailure, recordSuccess, type Attempt } from './sign-in-throttle';

/**
 * Signs in with e-mail (any letter case) and password; each time gives a token of its own.
 * @throws InvalidCredentials, after the same work whether the account exists or not
 * @throws TooManyAttempts for right passwords too; Unavailable when too many sign in at once
 */
export async function signIn(
  ctx: Ctx,
  { email, password }: SessionAttributes,
): Promise<{ token: string; user: UserGraph }> {
  const address = email.trim();
  const known = await findCredentials(ctx.db, address);
  const attempt: Attempt = {
    // By id where there is one: how an e-mail may be spelled is PostgreSQL's answer alone.
    account: known === undefined ? `email:${address.toLowerCase()}` : `user:${known.id}`,
    address: ctx.clientAddress,
  };
  await checkPassword(ctx, attempt, { digest: known?.password_digest ?? null, password });
  if (known === undefined) throw new InvalidCredentials();
  return withTransaction(ctx, async (tx) => {
    await recordSuccess(tx, attempt, ctx.now());
    const { token } = await issueToken(tx, known.id, 'sign-in');
    const user = await findUserGraph(tx, known.id);
    if (user === undefined) throw new InvalidCredentials();
    return { token, user };
  });
}

/**
 * Counting stands inside the slot, so that guesses sent all at once pass no further than guesses sent in turn. Only
 * failures are counted: any number may sign in at once with the right password.
 */
async function checkPassword(
  ctx: Ctx,
  attempt: Attempt,
  { digest, password }: { digest: string | null; password: string },
): Promise<void> {
  await withPasswordSlot(async () => {
    const buckets = await admitAttempt(ctx.db, attempt, ctx.now());
    if (await verifyPassword(digest, password)) return;
    await recordFailure(ctx.db, buckets, ctx.now());
    throw new InvalidCredentials();
  });
}

/** Revokes the token the request came with. @throws NotAuthorized to guests */
export async function signOut(ctx: Ctx): Promise<void> {
  const { actor } = ctx;
  if (actor.kind === 'guest') throw new NotAuthorized();
  await withTransaction(ctx, (tx) =>
    revokeApiToken(tx, { user_id: actor.user_id, id: actor.token_id }, ctx.now()),
  );
}
