import { Router } from 'express';

/** Resolves to why the store is not ready; null if it is. */
export type ReadinessCheck = () => Promise<string | null>;

/**
 * Creates a check that fails after two seconds. Callers that come during a check share it, so that a flood of them does not take the
 * connections of the database.
 */
export function createReadinessCheck(findCause: ReadinessCheck): ReadinessCheck {
  let running: Promise<string | null> | null = null;
  return () => (running ??= withinTwoSeconds(findCause()).finally(() => (running = null)));
}

/**
 * Creates the health checks for orchestrators. GET /health/live returns 200 while the process runs. GET /health/ready
 * returns 200 if `check` resolves to null, otherwise 503 with `unready`; then `report` gets the cause. Both are public and not part
 * of the API.
 */
export function healthRouter(
  check: ReadinessCheck,
  report: (cause: string) => void = () => undefined,
  unready: 'unavailable' | 'migrating' = 'unavailable',
): Router {
  const router = Router();
  router.get('/health/live', (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'live' });
  });
  router.get('/health/ready', async (_request, response) => {
    const cause = await check();
    if (cause !== null) report(cause);
    response
      .set('Cache-Control', 'no-store')
      .status(cause === null ? 200 : 503)
      .json({ status: cause === null ? 'ready' : unready });
  });
  return router;
}

async function withinTwoSeconds(check: Promise<string | null>): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('the check took longer than two seconds'), 2_000);
  });
  try {
    return await Promise.race([check.catch((error: unknown) => describe(error)), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : 'the check failed';
}
