import { Router } from 'express';

/**
 * Creates the health checks for orchestrators. GET /health/live returns 200 while the process runs. GET /health/ready
 * returns 200 if `isReady` resolves to true within two seconds, otherwise 503. Both are public and not part of the API.
 */
export function healthRouter(isReady: () => Promise<boolean>): Router {
  const router = Router();
  router.get('/health/live', (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'live' });
  });
  router.get('/health/ready', async (_request, response) => {
    const ready = await withinTwoSeconds(isReady());
    response
      .set('Cache-Control', 'no-store')
      .status(ready ? 200 : 503)
      .json({ status: ready ? 'ready' : 'unavailable' });
  });
  return router;
}

async function withinTwoSeconds(check: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), 2_000);
  });
  try {
    return await Promise.race([check.catch(() => false), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
