import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { ERROR_CODES } from '../../src/errors/error-codes';
import { COLLECTION } from '../../src/platform/openapi/collection-file';
import { INTRODUCTION } from '../../docs-content/introduction';
import { arrowsOf, MACHINES } from '../../docs-content/state-machines';
import { TAGS } from '../../docs-content/tags';
import { testApp } from '../support/api';
import { CHROMIUM } from '../support/browser';
import { openOperations } from '../support/reference-viewer';

const page = () => request(testApp().app);

describe('the reference page', () => {
  test('loads its assets from this server only', async () => {
    const reply = await page().get('/docs');
    expect(reply.status).toBe(200);
    const parts = [...reply.text.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)].map(
      ([, url]) => url ?? '',
    );
    const own = parts.filter((url) => url !== 'data:,'); // the icon it does not have
    expect(own).toHaveLength(2);
    for (const url of own) {
      expect(url).toMatch(/^\/docs\//);
      const part = await page().get(url);
      expect([url, part.status]).toEqual([url, 200]);
      expect(part.headers['content-type']).toMatch(url.endsWith('.css') ? /^text\/css/ : /javascript/);
    }
  });

  test('has a policy that forbids other origins and frames', async () => {
    for (const url of [
      '/docs',
      '/docs/guides/returns',
      '/docs/state-machines',
      '/docs/assets/openapi-explorer.min.js',
    ]) {
      const policy = (await page().get(url)).headers['content-security-policy'] ?? '';
      expect(policy).toContain("default-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/https?:|\*|script-src/);
    }
  });

  test('links to the other documents, which exist', async () => {
    const links = [...INTRODUCTION.matchAll(/\]\((\/[^)?]+)\)/g)].map(([, url = '']) => url);
    expect(links).toEqual([
      '/docs/guides',
      '/docs/state-machines',
      '/docs/errors',
      '/api/v1/openapi.json',
      `/docs/${COLLECTION}`,
      '/docs/guides/erp-in-step',
      '/docs/errors',
    ]);
    for (const url of links) expect([url, (await page().get(url)).status]).toEqual([url, 200]);
    const { body } = await page().get(`/docs/${COLLECTION}`);
    expect(body.info.schema).toMatch(/collection\/v2\.1\.0/);
  });

  test('has a page with every transition of every machine', async () => {
    const { text } = await page().get('/docs/state-machines');
    for (const { title, rows } of MACHINES) {
      const section = text.split(`>${title}</h2>`)[1]?.split('<h2')[0] ?? '';
      for (const { from, to, label } of rows.flatMap(arrowsOf)) {
        expect(section).toContain(`<code>${from}</code>`);
        expect(section).toContain(`<td>${label}</td><td><code>${to}</code></td>`);
      }
    }
    expect(text).not.toMatch(/<script|style=/);
  });

  test('has a page with every error code', async () => {
    const { text } = await page().get('/docs/errors');
    for (const [code, { status }] of Object.entries(ERROR_CODES)) {
      expect(text).toContain(`<code id="${code}">${code}</code></td><td>${status}</td>`);
    }
  });

  test('serves no other files of the package of its assets', async () => {
    for (const url of [
      '/docs/assets/',
      '/docs/assets/../package.json',
      '/docs/assets/..%2f..%2fpackage.json',
    ]) {
      const reply = await page().get(url);
      expect(reply.status).toBe(404);
    }
  });
});

const testInBrowser = CHROMIUM === null ? test.skip : test;

describe('in a browser', () => {
  let server: Server;

  beforeAll(async () => {
    server = createServer(testApp().app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  testInBrowser(
    `it opens operations quickly and sends no request to another host${CHROMIUM === null ? ' (skipped: no Chromium here)' : ''}`,
    async () => {
      const { port } = server.address() as AddressInfo; // listens on TCP, so it is no pipe's name
      const origin = `http://127.0.0.1:${port}`;
      const { tags, times, requestedUrls, errors } = await openOperations(origin, 8);
      expect(tags).toEqual(TAGS.map(({ name }) => name));
      expect(Object.keys(times).length).toBeGreaterThan(20);
      // The bound leaves room for tests that run at the same time.
      expect(Object.entries(times).filter(([, time]) => time > 5_000)).toEqual([]);
      expect(errors).toEqual([]);
      expect(requestedUrls).toContain(`${origin}/api/v1/openapi.json`);
      expect(
        requestedUrls.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:')),
      ).toEqual([]);
    },
    120_000,
  );
});
