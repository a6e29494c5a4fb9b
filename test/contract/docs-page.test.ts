import request from 'supertest';
import { groupGuides, readGuides } from '../../docs-content/guides';
import { INTRODUCTION } from '../../docs-content/introduction';
import { arrowsOf, MACHINES } from '../../docs-content/state-machines';
import { TAGS } from '../../docs-content/tags';
import { apiRouters } from '../../src/routers';
import { ERROR_CODES } from '../../src/errors/error-codes';
import { COLLECTION } from '../../src/platform/openapi/collection-file';
import { testApp } from '../support/api';

const get = (url: string) => request(testApp().app).get(url);

/** Returns the links of a page, without anchors, in its sidebar or in all of it. */
const linksOf = (html: string): string[] => [
  ...new Set([...html.matchAll(/href="(\/[^"#?]*)/g)].map(([, url = '']) => url)),
];

describe('the documentation', () => {
  test('has one sidebar with all pages, which exist', async () => {
    const { text } = await get('/docs');
    const sidebar = linksOf(text.slice(text.indexOf('<nav id="sidebar"'), text.indexOf('</nav>')));
    expect(sidebar).toEqual(
      expect.arrayContaining([
        ...['/docs', '/docs/guides', '/docs/errors', '/docs/state-machines', '/docs/records'],
        ...readGuides().map(({ name }) => `/docs/guides/${name}`),
      ]),
    );
    expect(sidebar.filter((url) => url.startsWith('/docs/reference/'))).toHaveLength(TAGS.length);
    for (const url of sidebar) {
      const page = await get(url);
      expect([url, page.status, page.headers['content-type']]).toEqual([
        url,
        200,
        'text/html; charset=utf-8',
      ]);
      const within = page.text.slice(page.text.indexOf('<nav id="sidebar"'));
      expect(linksOf(within)).toEqual(expect.arrayContaining(sidebar));
      expect(page.text).toContain(`href="${url}" aria-current="page"`);
    }
  });

  test('has everyday operations first, code in colors with a button to copy it, and links to the pages around', async () => {
    const products = (await get('/docs/reference/products')).text;
    const operations = [...products.matchAll(/data-path="([^"]+)"/g)].map(([, path = '']) => path);
    const template = operations.findIndex((path) => path.endsWith('/new'));
    expect(operations.slice(template).filter((path) => !path.endsWith('/new'))).toEqual([]);
    expect(operations.indexOf('/api/v1/products')).toBe(0);

    const guide = (await get('/docs/guides/guest-checkout')).text;
    const blocks = guide.split('<pre').slice(1);
    expect(blocks.filter((block) => !/<span class="token/.test(block))).toEqual([]);
    expect(guide.split('class="copy"')).toHaveLength(blocks.length + 1);
    const turn = guide.slice(guide.indexOf('<nav class="turn"'));
    expect(linksOf(turn)).toEqual(['/docs/guides/build-a-storefront', '/docs/guides/declined-card']);
  });

  test('has guides whose code is in languages that test/contract/guides.slow.test.ts runs', () => {
    const languages = readGuides().flatMap(({ name, text }) =>
      [...text.matchAll(/^```(\w*)\n.*?^```$/gms)].map(([, language]) => [name, language]),
    );
    const others = languages.filter(([, language]) => !['sh', 'ts'].includes(language ?? ''));
    expect(others).toEqual([]);
    expect(new Set(languages.map(([name]) => name)).size).toBe(readGuides().length);
  });

  test('groups guides alike in the sidebar and in their overview', async () => {
    const overview = (await get('/docs/guides')).text;
    const main = overview.slice(overview.indexOf('<main'));
    for (const [group, guides] of groupGuides(readGuides())) {
      expect(overview.slice(overview.indexOf('<nav id="sidebar"'))).toContain(group);
      const [, rest = ''] = main.split(`>${group}</h2>`);
      const section = linksOf(rest.split('<h2')[0] ?? '').filter((url) => url.startsWith('/docs/guides/'));
      expect(section).toEqual(expect.arrayContaining(guides.map(({ name }) => `/docs/guides/${name}`)));
    }
  });

  test('links only to what exists, anchors too', async () => {
    const pages = linksOf((await get('/docs')).text).filter(
      (url) => url.startsWith('/docs') && !url.includes('.'),
    );
    const texts = new Map(await Promise.all(pages.map(async (url) => [url, (await get(url)).text] as const)));
    const broken: string[] = [];
    for (const [page, text] of texts) {
      for (const [, url = '', anchor] of text.matchAll(/href="((?:\/docs)?[^"#:?]*)(?:#([^"]+))?"/g)) {
        if (url !== '' && !url.startsWith('/docs')) continue;
        const target = url === '' ? text : texts.get(url);
        const isFile = /\.(css|js|json)$/.test(url);
        if (target === undefined && !isFile) broken.push(`${page}: ${url}`);
        else if (anchor !== undefined && !target?.includes(`id="${anchor}"`))
          broken.push(`${page}: ${url}#${anchor}`);
      }
    }
    expect(broken).toEqual([]);
  });

  test('shows no marks of Markdown', async () => {
    for (const url of ['/docs', '/docs/guides', '/docs/errors', '/docs/state-machines', '/docs/records']) {
      const { text } = await get(url);
      const main = text.slice(text.indexOf('<main'), text.indexOf('<nav class="turn"'));
      const plain = main.replace(/<pre.*?<\/pre>/gs, '').replace(/<code.*?<\/code>/gs, '');
      expect([url, /.{0,60}(`|\*\*|\]\().{0,40}/.exec(plain)?.[0]]).toEqual([url, undefined]);
    }
  });

  test('shows every operation with its parameters, a form and its error codes', async () => {
    const endpoints = apiRouters().flatMap((router) => router.endpoints);
    const slugs = TAGS.map(({ name }) => name.toLowerCase().replace(/[^\w]+/g, '-'));
    const text = (await Promise.all(slugs.map((slug) => get(`/docs/reference/${slug}`))))
      .map((page) => page.text)
      .join();
    for (const { method, path, sameAs } of endpoints) {
      if (sameAs !== undefined) continue;
      const shown = `/api/v1${path.replace(/:(\w+)/g, '{$1}')}`;
      expect(text).toContain(`data-method="${method}" data-path="${shown}"`);
    }
    expect(text).toContain('placeholder="name_cont=mug&amp;s=name desc"');
    expect(text).not.toMatch(/\[object Object\]|undefined/);
    // Lists have a cursor only if they are read by one.
    const plain = text.replace(/<[^>]*>/g, '').replaceAll('&quot;', '"');
    expect(plain).toContain('"current_page": 1');
    expect(plain).not.toContain('"next_cursor": "text"');
  });

  test('has a search over operations, parameters, fields, guides, error codes and states', async () => {
    const { body } = await get('/docs/search.json');
    const find = (word: string): string[] =>
      body
        .filter((entry: object) => JSON.stringify(entry).includes(word))
        .map((entry: { url: string }) => entry.url);
    expect(find('updated_since')).toEqual(
      expect.arrayContaining([expect.stringMatching(/^\/docs\/reference\/orders#/)]),
    );
    expect(find('special_instructions').length).toBeGreaterThan(1);
    expect(find('insufficient_stock')).toContain('/docs/errors#insufficient_stock');
    expect(find('Behind a CDN')).toContain('/docs/guides/behind-a-cdn');
    expect(find('awaiting_return')).toContain('/docs/state-machines#order');
  });

  test('has a policy that forbids other origins and frames, and loads its assets from this server', async () => {
    for (const url of ['/docs', '/docs/guides/returns', '/docs/site.js', '/docs/site.css']) {
      const { status, headers } = await get(url);
      expect([url, status]).toEqual([url, 200]);
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).toContain("default-src 'self'");
      expect(policy).toContain("object-src 'none'; base-uri 'none'; frame-ancestors 'none'");
      expect(policy).not.toMatch(/https?:|\*|script-src/);
    }
    const { text } = await get('/docs');
    const parts = [...text.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)].map(([, url]) => url);
    expect(parts).toEqual(['data:,', '/docs/site.css', '/docs/site.js']);
  });

  test('links to the other documents, which exist', async () => {
    const links = [...INTRODUCTION.matchAll(/\]\((\/[^)?]+)\)/g)].map(([, url = '']) => url);
    for (const url of links) expect([url, (await get(url)).status]).toEqual([url, 200]);
    const { body } = await get(`/docs/${COLLECTION}`);
    expect(body.info.schema).toMatch(/collection\/v2\.1\.0/);
  });

  test('has a page with every transition of every machine', async () => {
    const { text } = await get('/docs/state-machines');
    for (const { title, rows } of MACHINES) {
      const section = text.split(`>${title}</h2>`)[1]?.split('<h2')[0] ?? '';
      for (const { from, to, label } of rows.flatMap(arrowsOf)) {
        expect(section).toContain(`<code>${from}</code>`);
        expect(section).toContain(`<td>${label}</td><td><code>${to}</code></td>`);
      }
    }
  });

  test('has a page with every error code', async () => {
    const { text } = await get('/docs/errors');
    for (const [code, { status }] of Object.entries(ERROR_CODES)) {
      expect(text).toContain(`<code id="${code}">${code}</code></td><td>${status}</td>`);
    }
  });

  test.each([
    '/docs/nothing',
    '/docs/assets/../package.json',
    '/docs/..%2fpackage.json',
    '/docs/guides/parts/setup',
  ])('%s is 404', async (url) => {
    expect((await get(url)).status).toBe(404);
  });
});
