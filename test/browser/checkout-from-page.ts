/**
 * `npm run browser-check`: a page of another origin completes an order of the demo store with the built
 * client in a real browser. Prints the order. The exit code is 1 if the order fails or the browser reports
 * errors.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { transform } from 'esbuild';
import { createStoreClient, unwrap } from '../../client/src/index';
import { bundleClient } from '../../scripts/build-client';
import { CHROMIUM, visit } from '../support/browser';
import { listen, type Listening } from '../support/listen';
import { killPrograms, startProgram } from '../support/program';
import type { Bought } from './shop-page.mjs';

const ADMIN_TOKEN = 'browser-check';

/** Waits in the page until its script has stored its result. */
const WHEN_DONE = `new Promise((resolve) => {
  const look = () => {
    const { done } = document.documentElement?.dataset ?? {};
    if (done !== undefined) resolve(done);
  };
  new MutationObserver(look).observe(document, { attributes: true, childList: true, subtree: true });
  look();
})`;

function buildPageHtml(storeUrl: string): string {
  return `<!doctype html><html><head><link rel="icon" href="data:,"></head><body><script type="module">
    import { buy } from './shop-page.js';
    const done = (outcome) => { document.documentElement.dataset.done = JSON.stringify(outcome); };
    buy(${JSON.stringify(storeUrl)}).then((bought) => done({ bought }), (error) => done({ error: String(error) }));
  </script></body></html>`;
}

/** Serves the page's origin: its HTML, its script and the built client. */
async function servePage(folder: string, storeUrl: string): Promise<Listening> {
  await bundleClient(folder);
  const source = readFileSync(path.join(__dirname, 'shop-page.mts'), 'utf8');
  const { code } = await transform(source, { loader: 'ts', format: 'esm' });
  const files: Record<string, { type: string; content: string }> = {
    '/': { type: 'text/html', content: buildPageHtml(storeUrl) },
    '/shop-page.js': {
      type: 'text/javascript',
      content: code.replace('"store-api-client"', '"./store-api-client.js"'),
    },
    '/store-api-client.js': {
      type: 'text/javascript',
      content: readFileSync(path.join(folder, 'index.js'), 'utf8'),
    },
  };
  return listen((request, response) => {
    const file = files[request.url ?? ''];
    response.writeHead(file === undefined ? 404 : 200, { 'Content-Type': file?.type ?? 'text/plain' });
    response.end(file?.content);
  });
}

/** Runs the page and returns its result. @throws Error if it failed or the browser reported errors */
async function buyInBrowser(pageUrl: string): Promise<Bought> {
  const { value, errors } = await visit(pageUrl, WHEN_DONE);
  const outcome: { bought?: Bought; error?: string } = JSON.parse(String(value));
  const { bought, error } = outcome;
  if (errors.length > 0) throw new Error(`the browser reported errors: ${errors.join('; ')}`);
  if (bought === undefined) throw new Error(error);
  return bought;
}

async function check(folder: string): Promise<void> {
  const env = { DATA_DIR: path.join(folder, 'data'), SEED: 'demo', ADMIN_TOKEN, LOG_LEVEL: 'error' };
  const store = await startProgram(env);
  const page = await servePage(path.join(folder, 'client'), store.url);
  try {
    const { number, state, total } = await buyInBrowser(page.url);
    const admin = createStoreClient({ baseUrl: store.url, token: ADMIN_TOKEN });
    const order = await unwrap(admin.GET('/api/v1/orders/{number}', { params: { path: { number } } }));
    if (state !== 'complete' || order.state !== 'complete')
      throw new Error(`the order ${number} is ${order.state}`);
    process.stdout.write(`order ${number} of ${total} is complete: page ${page.url}, store ${store.url}\n`);
  } finally {
    await page.close();
    store.child.kill('SIGTERM');
    await store.exited;
  }
}

async function main(): Promise<void> {
  if (CHROMIUM === null) throw new Error('there is no Chromium on this machine');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'store-browser-check-'));
  try {
    await check(folder);
  } finally {
    killPrograms();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
