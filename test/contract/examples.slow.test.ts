import type { Knex } from 'knex';
import request from 'supertest';
import { loadDemoOrders } from '../../seeds/demo/orders';
import { ensureAdmin } from '../../src/accounts/ensure-admin';
import { documentPath } from '../../src/platform/openapi/document';
import { INTRODUCTION } from '../../docs-content/introduction';
import { closeDatabase } from '../../src/platform/database/knex';
import { makeTestApp } from '../support/api';
import { demoDatabase, runningFor } from '../support/demo-shop';
import {
  document,
  examples,
  EXAMPLES_TOKEN,
  sequenceReset,
  tryInTurn,
  type Example,
} from '../support/reference-examples';

class RollBack extends Error {}

describe('the examples of the reference, tried one by one in a fresh demo store by its administrator', () => {
  let db: Knex;
  let resetSequences: string;

  beforeAll(async () => {
    db = await demoDatabase();
    const { deps } = makeTestApp({ db });
    await ensureAdmin(db, { email: 'admin@example.com', password: 'their password', token: EXAMPLES_TOKEN });
    await loadDemoOrders(deps, runningFor(110));
    resetSequences = await sequenceReset(db);
  }, 120_000);

  afterAll(() => closeDatabase(db));

  /** Nothing of it stays. */
  async function attempt(example: Example): Promise<void> {
    try {
      await db.transaction(async (tx) => {
        const { app } = makeTestApp({ db: tx });
        await tryInTurn(app, example);
        throw new RollBack();
      });
    } catch (error) {
      if (!(error instanceof RollBack)) throw error;
    } finally {
      await db.raw(resetSequences);
    }
  }

  test('are of every operation', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
    expect(examples).toHaveLength(operations.length);
    expect(examples.filter(({ url }) => url.includes('undefined'))).toEqual([]);
  });

  const links = [...INTRODUCTION.matchAll(/\]\((\/api\/v1\/\w+\?[^)]+)\)/g)].map(([, url = '']) => url);
  const searches = examples
    .filter(({ endpoint, method }) => endpoint.search !== undefined && method === 'get')
    .map(({ endpoint, url }) => {
      const parameters: any[] = document.paths[documentPath(endpoint.path)]?.['get'].parameters;
      const { description } = parameters.find(({ name }) => name === 'q');
      const [, search = 'none'] = /For example `([^`]+)`/.exec(description) ?? [];
      return `${url}${url.includes('?') ? '&' : '?'}${search}`;
    });

  test('of searching are shown in the introduction, and for every list', () => {
    expect(links.length).toBeGreaterThan(5);
    expect(searches.length).toBeGreaterThan(20);
  });

  test.each(links)('the introduction shows a search that finds something: %s', async (url) => {
    const reply = await request(makeTestApp({ db }).app).get(encodeURI(decodeURI(url)));
    expect([reply.status, reply.headers['x-ignored-conditions']]).toEqual([200, undefined]);
    const { count, total_count } = reply.body;
    expect(count).toBeGreaterThan(0);
    expect(total_count).toBeLessThan(50);
  });

  test.each(searches)('a list knows what its example searches and sorts by: %s', async (url) => {
    const reply = await request(makeTestApp({ db }).app)
      .get(encodeURI(url))
      .set('X-Store-Token', EXAMPLES_TOKEN);
    expect([reply.status, reply.headers['x-ignored-conditions'] ?? '']).toEqual([200, '']);
  });

  test.each(examples.map((example) => [`${example.method} ${example.endpoint.path}`, example] as const))(
    '%s',
    async (_name, example) => {
      await attempt(example);
    },
  );
});
