import { retryAfterOf } from './errors.ts';

export interface RetryOptions {
  /** How often a request is sent at most, the first time included; 3 unless told. */
  attempts?: number;
  /** The longest wait in seconds; an answer that asks for a longer one is handed on. 10 unless told. */
  maxDelay?: number;
}

type Fetch = (request: Request) => Promise<Response>;

/**
 * A `fetch` that asks again where that can do no harm:
 *
 * - a refusal that has changed nothing, whatever the method: 409 (another request holds the record) and 429;
 * - for GET alone also 503 and a failed connection: there the first request may have been carried out.
 *
 * It waits for `Retry-After`, else 0.2 seconds, twice as long each time. Aborting the request ends the wait.
 */
export function retrying(fetch: Fetch, { attempts = 3, maxDelay = 10 }: RetryOptions): Fetch {
  return async (request) => {
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= attempts;
      // A body can be read once: all but the last attempt send a copy.
      const outcome = await settled(fetch(isLast ? request : request.clone()));
      const delay = isLast ? null : delayBefore(request, outcome, attempt);
      if (delay === null || delay > maxDelay) {
        if ('failure' in outcome) throw outcome.failure;
        return outcome.response;
      }
      if ('response' in outcome) await outcome.response.body?.cancel();
      await wait(delay, request.signal);
    }
  };
}

type Settled = { response: Response } | { failure: unknown };

async function settled(answer: Promise<Response>): Promise<Settled> {
  try {
    return { response: await answer };
  } catch (failure) {
    return { failure };
  }
}

/** Seconds to wait before the next attempt; null when there shall be none. */
function delayBefore(request: Request, outcome: Settled, attempt: number): number | null {
  if (request.signal.aborted) return null;
  const isSafe = request.method === 'GET' || request.method === 'HEAD';
  const backoff = 0.2 * 2 ** (attempt - 1);
  if ('failure' in outcome) return isSafe ? backoff : null;
  const { response } = outcome;
  const changedNothing = response.status === 409 || response.status === 429;
  if (!changedNothing && !(isSafe && response.status === 503)) return null;
  return retryAfterOf(response) ?? backoff;
}

/** @throws the signal's reason when it is aborted meanwhile */
function wait(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      // Whatever the caller gave as the reason is what they want to catch.
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    signal.addEventListener('abort', stop, { once: true });
  });
}
