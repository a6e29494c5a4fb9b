import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import request from 'supertest';
import { TAGS } from '../../src/reference/tags';
import { testApp } from '../support/api';

const page = () => request(testApp().app);

describe('the reference page', () => {
  test('loads its parts from this server alone', async () => {
    const reply = await page().get('/docs');
    expect(reply.status).toBe(200);
    const parts = [...reply.text.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)].map(
      ([, url]) => url ?? '',
    );
    const own = parts.filter((url) => url !== 'data:,'); // the icon it does not have
    expect(own).toHaveLength(3);
    for (const url of own) {
      expect(url).toMatch(/^\/docs\//);
      const part = await page().get(url);
      expect([url, part.status]).toEqual([url, 200]);
      expect(part.headers['content-type']).toMatch(url.endsWith('.css') ? /^text\/css/ : /javascript/);
    }
  });

  test('is told by its policy to load nothing from elsewhere, and to stay out of frames', async () => {
    for (const url of ['/docs', '/docs/start.js', '/docs/assets/swagger-ui.css']) {
      const policy = (await page().get(url)).headers['content-security-policy'] ?? '';
      expect(policy).toContain("default-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/https?:|\*|script-src/);
    }
  });

  test('serves nothing else of the package it takes its assets from', async () => {
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

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const browser = NAMES.find((name) => spawnSync(name, ['--version']).status === 0);
const testInBrowser = browser === undefined ? test.skip : test;

describe('in a browser', () => {
  let server: Server;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'store-docs-page-'));
    server = createServer(testApp().app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** What the page has become once its scripts have run, what they complained of, and which URLs they asked for. */
  async function open(url: string): Promise<{ dom: string; complaints: string[]; asked: string[] }> {
    const netLog = path.join(folder, 'net-log.json');
    const { stdout, stderr } = await promisify(execFile)(
      browser ?? '',
      [
        ...[
          '--headless',
          '--no-sandbox',
          '--disable-gpu',
          '--disable-quic',
          '--no-first-run',
          '--disable-sync',
        ],
        ...['--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage'],
        // Whatever the browser itself would like to know of its makers, it cannot ask.
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
        `--user-data-dir=${path.join(folder, 'profile')}`,
        ...[
          '--enable-logging=stderr',
          '--virtual-time-budget=20000',
          `--log-net-log=${netLog}`,
          '--dump-dom',
          url,
        ],
      ],
      { maxBuffer: 32 * 1024 * 1024 },
    );
    return {
      dom: stdout,
      complaints: stderr.split('\n').filter((line) => line.includes('CONSOLE')),
      asked: askedByPages(readFileSync(netLog, 'utf8'), new URL(url).origin),
    };
  }

  testInBrowser(
    `it shows every heading, and asks nobody else for anything${browser === undefined ? ' (skipped: no Chromium here)' : ''}`,
    async () => {
      const { port } = server.address() as AddressInfo; // listens on TCP, so it is no pipe's name
      const origin = `http://127.0.0.1:${port}`;
      const { dom, complaints, asked } = await open(`${origin}/docs#/Products/listProducts`);

      const headings = [...dom.matchAll(/data-tag="([^"]+)"/g)].map(([, tag]) => tag);
      expect(headings).toEqual(TAGS.map(({ name }) => name));
      expect(dom).toContain('operations-Products-listProducts');
      expect(dom).toContain('harbour-tote');
      expect(complaints).toEqual([]);
      expect(asked).toContain(`${origin}/api/v1/openapi.json`);
      expect(asked.filter((one) => !one.startsWith(`${origin}/`))).toEqual([]);
    },
    90_000,
  );
});

interface NetLog {
  events: { params?: { url?: string; initiator?: string } }[];
}

/** URLs that a page of `origin` asked for, of the browser's own log of its network. */
function askedByPages(netLog: string, origin: string): string[] {
  const { events }: NetLog = JSON.parse(netLog);
  const urls = events.flatMap(({ params }) =>
    params?.initiator === origin && params.url !== undefined ? [params.url] : [],
  );
  return [...new Set(urls)];
}
