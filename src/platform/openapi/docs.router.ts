import path from 'node:path';
import { Router } from 'express';

const PACKAGE = path.dirname(require.resolve('swagger-ui-dist/package.json'));

/** What the page needs of the package; nothing else of it is served. */
const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js'];

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Store API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<div id="reference"></div>
<noscript>This page needs JavaScript. The same as a document: <a href="/api/v1/openapi.json">openapi.json</a></noscript>
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
  validatorUrl: null,
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
  for (const name of ASSETS) {
    router.get(`/docs/assets/${name}`, (_request, response) => {
      response.sendFile(name, { root: PACKAGE, maxAge: '1d' });
    });
  }
  return router;
}
