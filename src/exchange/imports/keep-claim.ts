import type { Deps } from '../context';
import { updateProgress, type Claim } from './imports.repository';

/** Thrown when the import was canceled, claimed by another instance, or the program stops. */
export class Stopped extends Error {}

/** Shorter than a claim lasts. */
const EVERY_MS = 3_000;

/**
 * Returns a function to call again and again while a file is read without progress, which may take longer than a claim
 * lasts: it extends the claim from time to time.
 * @throws Stopped
 */
export function createKeeper(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { claim, isRunning }: { claim: Claim; isRunning?: (() => boolean) | undefined },
): () => Promise<void> {
  let kept = now().getTime();
  return async () => {
    if (isRunning?.() === false) throw new Stopped();
    const time = now().getTime();
    if (time - kept < EVERY_MS) return;
    kept = time;
    if (!(await updateProgress(db, claim, {}))) throw new Stopped();
  };
}
