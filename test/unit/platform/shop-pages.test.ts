import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { createErrorHandler } from '../../../src/errors/error-handler';
import { createFairShare } from '../../../src/platform/fair-share';
import { setPublicUrl } from '../../../src/platform/public-url';
import type { Turns } from '../../../src/platform/http/request-turn';
import { createShop, type ShopServer } from '../../../src/web/shop.router';

let folder: string;

/** A shop whose pages show their address, after a request of the API. */
const server: ShopServer = {
  renderPage: async (body, origin, send, inTurn) => {
    const { ok } = await send(new Request(`${origin}/api`));
    return inTurn(() => ({ status: ok ? 200 : 503, head: '', body, data: '' }));
  },
};

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'store-shop-'));
  mkdirSync(path.join(folder, 'client/shop-files'), { recursive: true });
  writeFileSync(path.join(folder, 'client/index.html'), '<main><!--shop--></main>');
});

// Other test files of this worker may have set it.
beforeEach(() => setPublicUrl(''));

afterAll(() => rmSync(folder, { recursive: true }));

/** Serves the shop with these turns. @returns a function that visits a page from an address */
function serveShop(turns: Turns) {
  const app = express().get('/api', (_request, response) => void response.json({}));
  const options = { app, turns, listHosts: () => Promise.resolve([]), load: () => Promise.resolve(server) };
  app.set('trust proxy', true).use(createShop(folder, options).router);
  app.use(createErrorHandler(pino({ level: 'silent' })));
  return (address: string) => request(app).get('/search?q=mug').set('X-Forwarded-For', address);
}

test('pages are written in the turn of their visitor, who pays for them', async () => {
  const share = createFairShare({ isBusy: () => true, now: () => 0 });
  const taken: string[] = [];
  const visit = serveShop({
    take: async (address) => {
      const end = await share.begin(address);
      return (cost) => {
        taken.push(address);
        share.spend(address, cost);
        end();
      };
    },
    isExhausted: share.isExhausted,
    spend: share.spend,
  });

  expect((await visit('192.0.2.1')).text).toBe('<main>/search?q=mug</main>');
  expect(taken).toEqual(['192.0.2.1']);
  expect(share.isExhausted('192.0.2.1')).toBe(false);
  for (let page = 0; page < 20; page += 1) await visit('192.0.2.1');
  expect([share.isExhausted('192.0.2.1'), share.isExhausted('192.0.2.2')]).toEqual([true, false]);
});

test.each(['', 'a"><script>', '[::', 'a b', 'store:99999', 'user@store', 'store/path', 'store?query'])(
  'the host %s is refused',
  async (host) => {
    const share = createFairShare({ isBusy: () => false });
    const visit = serveShop({ ...share, take: async (address) => share.begin(address) });
    const reply = await visit('192.0.2.1').set('Host', host);
    expect([reply.status, reply.body]).toEqual([400, { error: 'The Host header is not valid.' }]);
  },
);
