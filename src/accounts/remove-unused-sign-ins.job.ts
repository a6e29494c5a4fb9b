import type { Deps } from '../access/context';
import { withTransaction } from '../platform/database/transaction';
import { inBatches } from '../platform/in-batches';
import { deleteExpiredResets } from './password-resets.repository';
import { deleteUnusedSessionTokens } from './token-store/api-tokens.repository';
import { SESSION_MS } from './token-store/token-expiry';
import { deleteExpiredLimits } from '../platform/rate-limits';

const BATCH = 1_000;

/**
 * Deletes tokens of sign-ins and sign-ups that are unused for 30 days, expired counts of attempts and expired password resets. Safe to run at any
 * time, on several instances at once.
 */
export async function removeUnusedSignIns(
  deps: Pick<Deps, 'db' | 'log' | 'now' | 'author'>,
  isRunning?: () => boolean,
): Promise<{ tokens: number; attempts: number }> {
  const { db, log, now } = deps;
  const unusedSince = new Date(now().getTime() - SESSION_MS);
  const deleteTokens = (size: number) =>
    withTransaction(deps, (tx) => deleteUnusedSessionTokens(tx, unusedSince, size));
  const tokens = await inBatches(BATCH, deleteTokens, isRunning);
  const attempts = await inBatches(BATCH, (size) => deleteExpiredLimits(db, now(), size), isRunning);
  await inBatches(BATCH, (size) => deleteExpiredResets(db, now(), size), isRunning);
  if (tokens + attempts > 0) log.info({ tokens, attempts }, 'unused sign-ins were deleted');
  return { tokens, attempts };
}
