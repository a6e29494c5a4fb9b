import path from 'node:path';
import { Router, static as serveStatic } from 'express';

const ASSETS = path.dirname(require.resolve('swagger-ui-dist/package.json'));

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Store API</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<div id="reference"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</html>
`;

const START = `window.ui = window.SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
});
`;

/** Everything comes from this host: no script, font or request from elsewhere. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/** The interactive reference page at /docs. */
export function docsRouter(): Router {
  const router = Router();
  router.use('/docs', (_request, response, next) => {
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    next();
  });
  router.get('/docs', (_request, response) => {
    response.type('html').send(PAGE);
  });
  router.get('/docs/start.js', (_request, response) => {
    response.type('js').send(START);
  });
  router.use('/docs/assets', serveStatic(ASSETS, { index: false, maxAge: '1d' }));
  return router;
}
