/**
 * `npm run browser-check`: a page of another origin completes an order of the demo store with the built
 * client in a real browser. Prints the order. The exit code is 1 if the order fails or the browser reports
 * errors.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createStoreClient, unwrap } from '../../client/src/index';
import { withPage } from '../support/playwright';
import { killPrograms, startProgram } from '../support/program';
import { IMPORT_MAP, servePage } from './serve-page';
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
  return `<!doctype html><html><head><link rel="icon" href="data:,">${IMPORT_MAP}</head><body><script type="module">
    import { buy } from './page.js';
    const done = (outcome) => { document.documentElement.dataset.done = JSON.stringify(outcome); };
    buy(${JSON.stringify(storeUrl)}).then((bought) => done({ bought }), (error) => done({ error: String(error) }));
  </script></body></html>`;
}

/** Runs the page and returns its result. @throws Error if it failed or the browser reported errors */
async function buyInBrowser(pageUrl: string): Promise<Bought> {
  return withPage(pageUrl, async ({ evaluate, errors }) => {
    const outcome: { bought?: Bought; error?: string } = JSON.parse(String(await evaluate(WHEN_DONE)));
    const { bought, error } = outcome;
    if (errors.length > 0) throw new Error(`the browser reported errors: ${errors.join('; ')}`);
    if (bought === undefined) throw new Error(error);
    return bought;
  });
}

async function check(folder: string): Promise<void> {
  const env = { DATA_DIR: path.join(folder, 'data'), SEED: 'demo', ADMIN_TOKEN, LOG_LEVEL: 'error' };
  const store = await startProgram(env);
  const page = await servePage(buildPageHtml(store.url), path.join(__dirname, 'shop-page.mts'));
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
