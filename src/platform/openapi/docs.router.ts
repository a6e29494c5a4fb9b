import { existsSync } from 'node:fs';
import path from 'node:path';
import { Router } from 'express';
import { COLLECTION, findCollection } from './collection-file';

const VIEWER = 'openapi-explorer.min.js';

/**
 * Finds the viewer, a single file: `npm run build` copies it into dist/assets; without a build it is in the package.
 * @throws Error if neither exists
 */
function findViewer(): string {
  const built = path.resolve(__dirname, '../../../assets', VIEWER);
  if (existsSync(built)) return built;
  const [folder = ''] = (require.resolve.paths('openapi-explorer') ?? []).filter((modules) =>
    existsSync(path.join(modules, 'openapi-explorer')),
  );
  return path.join(folder, 'openapi-explorer/dist/browser', VIEWER);
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Store API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/reference.css">
<script type="module" src="/docs/assets/${VIEWER}"></script>
<openapi-explorer spec-url="/api/v1/openapi.json" server-url="/" hide-server-selection="true"
  schema-expand-level="2" default-schema-tab="body" primary-color="#0b6b57" nav-bg-color="#f4f5f3"
  nav-text-color="#24312d" nav-hover-bg-color="#e2e8e4" nav-hover-text-color="#0b6b57">
</openapi-explorer>
<noscript>This page requires JavaScript. The OpenAPI document: <a href="/api/v1/openapi.json">openapi.json</a></noscript>
</html>
`;

const REFERENCE_CSS = `html, body { margin: 0; height: 100%; font-family: system-ui, sans-serif; }
`;

const PAGES_CSS = `:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 4rem; font: 1rem/1.5 system-ui, sans-serif; }
h1, h2 { line-height: 1.2; }
pre { overflow-x: auto; padding: 0.75rem 1rem; background: #8882; font-size: 0.9em; }
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
  /** The path below /docs. */
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
  const viewer = findViewer();
  router.get(`/docs/assets/${VIEWER}`, (_request, response) => {
    response.sendFile(viewer, { maxAge: '1d' });
  });
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
<nav><a href="/docs">Reference</a> · <a href="/docs/guides">Guides</a></nav>
${body}
</html>
`;
}
