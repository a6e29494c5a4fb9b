import express, { type Express } from 'express';
import type { Logger } from 'pino';
import type { Config } from '../config';
import { createErrorHandler } from '../errors/error-handler';
import { Unavailable } from '../platform/errors';
import { finishBody } from '../platform/http/finish-body';
import { healthRouter } from '../platform/http/health.router';
import { HEADERS } from '../platform/openapi/replies';
import { setCommonHeaders } from '../platform/http/security-headers';

const RETRY_SECONDS = 5;

/**
 * Builds the application that serves the port until the store can: it is live, but not ready, and all other requests get
 * 503. It needs no database.
 */
export function buildStartingApp(
  { corsOrigins, trustProxy }: Pick<Config, 'corsOrigins' | 'trustProxy'>,
  log: Logger,
): Express {
  const app = express();
  app.set('trust proxy', trustProxy);
  app.disable('x-powered-by');
  app.set('query parser', false);
  app.use(finishBody, setCommonHeaders({ origins: corsOrigins, exposedHeaders: Object.keys(HEADERS) }));
  app.use(healthRouter(() => Promise.resolve('the store is starting'), undefined, 'migrating'));
  app.use(() => {
    throw new Unavailable('The store is starting. Please try again.', RETRY_SECONDS);
  });
  app.use(createErrorHandler(log));
  return app;
}
