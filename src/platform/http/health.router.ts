import { Router } from 'express';

/**
 * GET /health/live: 200 while the process serves. GET /health/ready: 200 when `isReady` says yes, within two
 * seconds; else 503. For orchestrators: not part of the API, open to all, and telling nothing else.
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

async function withinTwoSeconds(answer: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), 2_000);
  });
  try {
    return await Promise.race([answer.catch(() => false), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
