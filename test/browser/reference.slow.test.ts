import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Knex } from 'knex';
import { closeDatabase } from '../../src/platform/database/knex';
import { anAdmin } from '../support/accounts.factory';
import { makeTestApp } from '../support/api';
import { createDemoDatabase } from '../support/demo-shop';
import { listen, type Listening } from '../support/listen';
import { withPage } from '../support/playwright';
import { testStorage } from '../support/storage';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 1000 },
];
const PAGES = [
  ...['/docs', '/docs/guides', '/docs/guides/build-a-storefront', '/docs/errors', '/docs/state-machines'],
  ...['/docs/records', '/docs/reference/products', '/docs/reference/checkout'],
];

/** Waits in a page until `condition` is true. */
const until = (condition: string): string =>
  `(async () => { while (!(${condition})) await new Promise((resolve) => setTimeout(resolve, 10)); })()`;

/** What a page cannot answer because it is being left counts as false. */
function isLeft(error: Error): false {
  if (!/navigated|context/.test(error.message)) throw error;
  return false;
}

describe('the documentation in a browser', () => {
  let db: Knex;
  let store: Listening;
  let token: string;

  beforeAll(async () => {
    db = await createDemoDatabase();
    store = await listen(makeTestApp({ db, storage: testStorage() }).app);
    ({ token } = await anAdmin(db));
  });
  afterAll(async () => {
    await store.close();
    await closeDatabase(db);
  });

  test.each(SIZES)('is accessible and fits a page of $width pixels', async (size) => {
    for (const path of PAGES) {
      const found = await withPage(
        `${store.url}${path}`,
        async ({ evaluate, errors, requestedUrls }) => {
          await evaluate(until("document.readyState === 'complete' && document.querySelector('main h1')"));
          await evaluate(AXE);
          const axe = await evaluate(
            `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
                .filter(({ impact }) => impact === 'serious' || impact === 'critical')
                .map(({ id, nodes }) => [id, nodes.length, nodes[0].target.join(' ')]))`,
          );
          const scrolls = await evaluate('document.documentElement.scrollWidth > window.innerWidth');
          const hidden = await evaluate(
            "[...document.querySelectorAll('.stack .table')].some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)",
          );
          const foreign = requestedUrls.filter(
            (url) => !/^(data:|about:)/.test(url) && !url.startsWith(store.url),
          );
          return { axe, scrolls, hidden, errors, foreign };
        },
        size,
      );
      expect([path, found]).toEqual([
        path,
        { axe: [], scrolls: false, hidden: false, errors: [], foreign: [] },
      ]);
    }
  });

  test('sends objects in brackets, shows the reply, and keeps the token in the tab', async () => {
    await withPage(`${store.url}/docs/reference/products`, async ({ evaluate }) => {
      const form = "document.querySelector('#listProducts form.try')";
      // The page has the URL before its script handles the form.
      await evaluate(until(`document.readyState === 'complete' && ${form}`));
      await evaluate(
        `for (const button of ${form}.querySelectorAll('.example')) if (button.dataset.for.endsWith('try-q')) button.click()`,
      );
      const url = await evaluate(`${form}.querySelector('.url code').textContent`);
      expect(url).toBe('GET /api/v1/products?q[name_cont]=mug&q[s]=name desc');
      await evaluate(`${form}.requestSubmit()`);
      await evaluate(until(`${form}.querySelector('.result pre')`));
      const reply = JSON.parse(String(await evaluate(`${form}.querySelector('.result pre').textContent`)));
      expect(reply.products.length).toBeGreaterThan(0);
      expect(reply.products.map(({ name }: { name: string }) => /mug/i.test(name))).not.toContain(false);
      // Also on a page of http, where browsers have no clipboard.
      await evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined });
          document.execCommand = () => (window.copied = document.activeElement.value)`);
      await evaluate(`${form}.querySelector('.curl').click()`);
      expect(await evaluate('window.copied')).toMatch(/^curl .*name_cont/);
      // JSON is read too.
      await evaluate(
        `{ const field = ${form}.querySelector('[name=q]'); field.value = '{"id_in":[1,2]}'; field.dispatchEvent(new Event('input', { bubbles: true })) }`,
      );
      expect(await evaluate(`${form}.querySelector('.url code').textContent`)).toContain('q[id_in]=1');

      const kept = `document.querySelector('details.credentials form')`;
      await evaluate(`${kept}.elements.token.value = ${JSON.stringify(token)}; ${kept}.requestSubmit()`);
      await evaluate(`location.href = '/docs/reference/users'`);
      const me =
        'document.querySelector(\'#getMyAccount form.try, [data-path="/api/v1/users/me"][data-method=get]\')';
      const isThere = `Boolean(location.pathname.endsWith('users') && document.readyState === 'complete' && ${me})`;
      while (!(await evaluate(isThere).catch(isLeft))) await nextTurn();
      await evaluate(`${me}.requestSubmit()`);
      await evaluate(until(`${me}.querySelector('.result pre')`));
      expect(await evaluate(`${me}.querySelector('.status').textContent`)).toMatch(/^200/);
    });
  });

  test('finds parameters, fields, guides and error codes', async () => {
    await withPage(`${store.url}/docs/errors`, async ({ evaluate }) => {
      await evaluate(until("document.readyState === 'complete'"));
      const find = async (words: string): Promise<unknown> => {
        await evaluate(
          `{ const field = document.querySelector('.search input'); field.focus(); field.value = ${JSON.stringify(words)}; field.dispatchEvent(new Event('input')) }`,
        );
        await evaluate(
          until(`document.querySelector('#results li') && !document.querySelector('#results').hidden`),
        );
        await evaluate('new Promise((resolve) => setTimeout(resolve, 100))');
        return evaluate(
          `[...document.querySelectorAll('#results a')].map(({ href }) => href.slice(location.origin.length)).join(' ')`,
        );
      };
      expect(await find('updated_since')).toContain('/docs/reference/');
      expect(await find('special_instructions')).toContain('/docs/reference/');
      expect(await find('cdn')).toContain('/docs/guides/behind-a-cdn');
      expect(await find('insufficient_stock')).toContain('/docs/errors#insufficient_stock');
      expect(await find('awaiting_return')).toContain('/docs/state-machines#');
    });
  });
});
