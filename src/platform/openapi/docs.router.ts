import path from 'node:path';
import { Router } from 'express';
import { COLLECTION, findCollection } from './collection-file';

const PACKAGE = path.dirname(require.resolve('swagger-ui-dist/package.json'));

/** The files of the package that are served. */
const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js'];

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Store API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="stylesheet" href="/docs/reference.css">
<div id="reference"></div>
<noscript>This page requires JavaScript. The OpenAPI document: <a href="/api/v1/openapi.json">openapi.json</a></noscript>
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

/** On narrow screens, wide tables and commands scroll horizontally instead of the page. */
const REFERENCE_CSS = `.swagger-ui .info table { display: block; overflow-x: auto; }
.swagger-ui .info td { padding: 6px 12px 6px 0; vertical-align: top; }
.swagger-ui .info th { padding-right: 12px; }
.swagger-ui .info pre { overflow-x: auto; }
.swagger-ui .info h3 { margin-top: 2em; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 12px; }
  .swagger-ui .info .title { font-size: 28px; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .parameters-col_description input { max-width: 100%; }
}
`;

const PAGES_CSS = `:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 4rem; font: 1rem/1.5 system-ui, sans-serif; }
h1, h2 { line-height: 1.2; }
h2 { margin-top: 2.5rem; }
code { font-size: 0.95em; }
summary { cursor: pointer; margin: 0.75rem 0; }
.table { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid #8886; padding: 0.35rem 1rem 0.35rem 0; text-align: left; vertical-align: top; }
`;

/** Allows resources from this host only. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/** A page in addition to the reference. */
export interface DocsPage {
  /** The last path segment. */
  name: string;
  title: string;
  /** Trusted HTML. */
  body: string;
}

/** Creates the router of the reference at /docs, the `pages` below it, and the Postman collection. */
export function docsRouter(pages: readonly DocsPage[]): Router {
  const router = Router();
  router.use('/docs', (_request, response, next) => {
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    next();
  });
  const texts: Record<string, { type: string; text: string }> = {
    '/docs': { type: 'html', text: PAGE },
    '/docs/start.js': { type: 'js', text: START },
    '/docs/reference.css': { type: 'css', text: REFERENCE_CSS },
    '/docs/pages.css': { type: 'css', text: PAGES_CSS },
    ...Object.fromEntries(
      pages.map((page) => [`/docs/${page.name}`, { type: 'html', text: renderPage(page) }]),
    ),
  };
  for (const [url, { type, text }] of Object.entries(texts)) {
    router.get(url, (_request, response) => {
      response.type(type).send(text);
    });
  }
  for (const name of ASSETS) {
    router.get(`/docs/assets/${name}`, (_request, response) => {
      response.sendFile(name, { root: PACKAGE, maxAge: '1d' });
    });
  }
  const collection = findCollection(__dirname);
  if (collection !== null) {
    router.get(`/docs/${COLLECTION}`, (_request, response) => {
      response.sendFile(collection);
    });
  }
  return router;
}

function renderPage({ title, body }: DocsPage): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Store API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/pages.css">
<nav><a href="/docs">Reference</a></nav>
${body}
</html>
`;
}
