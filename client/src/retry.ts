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
 * - any request after 409 (another request holds the record) and 429, which have changed nothing;
 * - after 503 and connection failures, GET and requests with an `Idempotency-Key`, which have one effect however often
 *   they are sent. Writes without one get a new key, which all attempts share.
 *
 * It waits for `Retry-After`, or else for 0.2 seconds, doubled with every attempt. Aborting the request ends the wait.
 */
export function retryingFetch(fetch: Fetch, { attempts = 3, maxDelay = 10 }: RetryOptions): Fetch {
  return async (request) => {
    if (acceptsKey(request) && !request.headers.has(KEY)) request.headers.set(KEY, createKey());
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

const KEY = 'Idempotency-Key';

/** Sign-up and sign-in return new tokens, so the store ignores a key there. */
const WITHOUT_KEY = /\/api\/v1\/(users|sessions)\/?$/;

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

function acceptsKey(request: Request): boolean {
  if (isRead(request)) return false;
  return request.method !== 'POST' || !WITHOUT_KEY.test(new URL(request.url).pathname);
}

/** Creates a value of `Idempotency-Key`. Not by `randomUUID`, which pages without HTTPS do not have. */
export function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
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
  const isSafe = isRead(request) || acceptsKey(request);
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
