import { retryAfterOf } from './errors.ts';

export interface RetryOptions {
  /** Maximum number of attempts, including the first; defaults to 3. */
  attempts?: number;
  /** Maximum wait in seconds; a response that requires a longer wait is returned as it is. Defaults to 10. */
  maxDelay?: number;
}

type Fetch = (request: Request) => Promise<Response>;

/**
 * Builds a `fetch` that retries requests that are safe to repeat:
 *
 * - any method after 409 (another request holds the record) and 429, which have changed nothing;
 * - only GET after 503 and connection failures, because the first request may have been executed.
 *
 * It waits for `Retry-After`, or else for 0.2 seconds, doubled with every attempt. Aborting the request ends the wait.
 */
export function retryingFetch(fetch: Fetch, { attempts = 3, maxDelay = 10 }: RetryOptions): Fetch {
  return async (request) => {
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= attempts;
      // A body can be read only once, so all attempts but the last send a copy.
      const outcome = await outcomeOf(fetch(isLast ? request : request.clone()));
      const delay = isLast ? null : calculateDelay(request, outcome, attempt);
      if (delay === null || delay > maxDelay) {
        if ('failure' in outcome) throw outcome.failure;
        return outcome.response;
      }
      if ('response' in outcome) await outcome.response.body?.cancel();
      await wait(delay, request.signal);
    }
  };
}

type Outcome = { response: Response } | { failure: unknown };

async function outcomeOf(reply: Promise<Response>): Promise<Outcome> {
  try {
    return { response: await reply };
  } catch (failure) {
    return { failure };
  }
}

/** Returns the seconds to wait before the next attempt; null if the request must not be retried. */
function calculateDelay(request: Request, outcome: Outcome, attempt: number): number | null {
  if (request.signal.aborted) return null;
  const isSafe = request.method === 'GET' || request.method === 'HEAD';
  const backoff = 0.2 * 2 ** (attempt - 1);
  if ('failure' in outcome) return isSafe ? backoff : null;
  const { response } = outcome;
  const changedNothing = response.status === 409 || response.status === 429;
  if (!changedNothing && !(isSafe && response.status === 503)) return null;
  return retryAfterOf(response) ?? backoff;
}

/** Waits. @throws the signal's reason if it is aborted */
function wait(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      // Reject with exactly the value that the code aborting the request has passed.
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    signal.addEventListener('abort', stop, { once: true });
  });
}
