import type { Knex } from 'knex';
import request, { type Response } from 'supertest';
import { toDocumentPath } from '../../src/platform/openapi/document';
import { INTRODUCTION } from '../../docs-content/introduction';
import { closeDatabase } from '../../src/platform/database/knex';
import { makeTestApp } from '../support/api';
import { buildGateways } from '../support/gateways';
import { createDemoDatabaseWithOrders } from '../support/demo-shop';
import { document, examples, sequenceReset, tryInTurn, type Example } from '../support/reference-examples';

class RollBack extends Error {}

/** The headers that every reply of an operation has, or none. */
const CONSTANT_HEADERS = ['X-Request-Id', 'ETag', 'Content-Disposition', 'X-Total-Count'];

function expectDocumentedHeaders({ endpoint }: Example, { status, headers }: Response): void {
  const operation = document.paths[toDocumentPath((endpoint.sameAs ?? endpoint).path)]?.[endpoint.method];
  const documented: object = operation.responses[status]?.headers ?? {};
  const wanted = CONSTANT_HEADERS.filter((name) => name in documented);
  const sent = CONSTANT_HEADERS.filter((name) => headers[name.toLowerCase()] !== undefined);
  expect(sent).toEqual(wanted);
}

describe('the examples of the reference, each sent by the administrator of a new demo store', () => {
  let db: Knex;
  let resetSequences: string;

  beforeAll(async () => {
    db = await createDemoDatabaseWithOrders();
    resetSequences = await sequenceReset(db);
  });

  afterAll(() => closeDatabase(db));

  /** Sends an example, after the one that creates its record, and rolls both back. */
  async function attempt(example: Example): Promise<void> {
    try {
      await db.transaction(async (tx) => {
        const shop = makeTestApp({ db: tx, gateways: buildGateways() });
        const reply = await tryInTurn(shop, example);
        expectDocumentedHeaders(example, reply);
        throw new RollBack();
      });
    } catch (error) {
      if (!(error instanceof RollBack)) throw error;
    } finally {
      await db.raw(resetSequences);
    }
  }

  test('cover every operation', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const aliases = operations.flatMap((operation) => operation['x-aliases'] ?? []);
    expect(examples).toHaveLength(operations.length + aliases.length);
    expect(examples.filter(({ url }) => url.includes('undefined'))).toEqual([]);
  });

  const links = [...INTRODUCTION.matchAll(/\]\((\/api\/v1\/\w+\?[^)]+)\)/g)].map(([, url = '']) => url);
  const searches = examples
    // A file of all matching records does not exist if there are none.
    .filter(
      ({ endpoint, method }) =>
        endpoint.search !== undefined && method === 'get' && !endpoint.path.endsWith('.pdf'),
    )
    .map((example) => {
      const { endpoint, url } = example;
      const parameters: any[] =
        document.paths[toDocumentPath((endpoint.sameAs ?? endpoint).path)]?.['get'].parameters;
      const { description } = parameters.find(({ name }) => name === 'q');
      const [, search = 'none'] = /For example `([^`]+)`/.exec(description) ?? [];
      return { ...example, url: `${url}${url.includes('?') ? '&' : '?'}${search}` };
    });

  test('of searches are in the introduction and in every list', () => {
    expect(links.length).toBeGreaterThan(5);
    expect(searches.length).toBeGreaterThan(20);
  });

  test.each(links)('a search of the introduction returns results: %s', async (url) => {
    const reply = await request(makeTestApp({ db }).app).get(encodeURI(decodeURI(url)));
    expect([reply.status, reply.headers['x-ignored-conditions']]).toEqual([200, undefined]);
    const { count, total_count } = reply.body;
    expect(count).toBeGreaterThan(0);
    expect(total_count).toBeLessThan(50);
  });

  test.each(searches.map((example) => [example.url, example] as const))(
    'a list supports the search and the sort of its example: %s',
    async (url, example) => {
      await attempt({ ...example, url: encodeURI(url) });
    },
  );

  test.each(examples.map((example) => [`${example.method} ${example.endpoint.path}`, example] as const))(
    '%s',
    async (_name, example) => {
      await attempt(example);
    },
  );
});
