import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Knex } from 'knex';
import request from 'supertest';
import { loadDemoOrders } from '../../seeds/demo/orders';
import { ensureAdmin } from '../../src/accounts/ensure-admin';
import { apiRouters } from '../../src/app';
import type { EndpointDescription } from '../../src/platform/http/endpoint';
import { buildDocument, toDocumentPath } from '../../src/platform/openapi/document';
import { findExampleSource } from '../../src/platform/openapi/parameter-examples';
import { INTRODUCTION } from '../../docs-content/introduction';
import { storeReference } from '../../docs-content/store-reference';
import { closeDatabase } from '../../src/platform/database/knex';
import { makeTestApp } from '../support/api';
import { createDemoDatabase, stopAfterOrders } from '../support/demo-shop';
import { expectDocumented } from '../support/documented';

const TOKEN = 'the-token-of-the-owner';
const PICTURE = readFileSync(path.resolve(__dirname, '../../docs/tote.png'));

interface Example {
  endpoint: EndpointDescription;
  method: string;
  url: string;
  body?: object;
  /** The multipart field of a required file. */
  upload?: string;
  success: string[];
}

const endpoints = apiRouters().flatMap((router) => router.endpoints);
const document: { paths: Record<string, Record<string, any>> } = JSON.parse(
  JSON.stringify(buildDocument(endpoints, storeReference)),
);

/** The request that the reference page sends for an operation without edits. */
function exampleOf(endpoint: EndpointDescription, method: string): Example {
  const operation = document.paths[toDocumentPath(endpoint.path)]?.[method];
  const parameters: any[] = operation.parameters ?? [];
  const named = parameters.filter(({ in: place }) => place === 'path');
  const url = named.reduce<string>(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
    toDocumentPath(endpoint.path),
  );
  const asked = parameters.filter((one) => one.in === 'query' && 'example' in one && one.name !== 'q');
  const query = asked.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`).join('&');
  const content = operation.requestBody?.content ?? {};
  const body = content['application/json']?.example;
  return {
    ...{ endpoint, method },
    url: query === '' ? url : `${url}?${query}`,
    ...(body !== undefined && { body }),
    ...(operation.requestBody?.required === true &&
      endpoint.upload !== undefined && { upload: endpoint.upload }),
    success: Object.keys(operation.responses).filter((status) => status.startsWith('2')),
  };
}

const examples = endpoints.flatMap((endpoint) =>
  (endpoint.method === 'put' ? ['put', 'patch'] : [endpoint.method]).map((method) =>
    exampleOf(endpoint, method),
  ),
);

class RollBack extends Error {}

describe('the examples of the reference, each sent by the administrator of a new demo store', () => {
  let db: Knex;
  /** Resets all sequences, which a rollback does not. */
  let resetSequences: string;

  beforeAll(async () => {
    db = await createDemoDatabase();
    const { deps } = makeTestApp({ db });
    await ensureAdmin(db, { email: 'admin@example.com', password: 'their password', token: TOKEN });
    await loadDemoOrders(deps, stopAfterOrders(110));
    const { rows } = await db.raw<{ rows: { reset: string }[] }>(
      `SELECT 'SELECT ' || string_agg(
         format('setval(%L, %s, %L)', schemaname || '.' || sequencename, coalesce(last_value, 1), last_value IS NOT NULL), ', '
       ) AS reset FROM pg_sequences`,
    );
    resetSequences = rows[0]?.reset ?? '';
  }, 120_000);

  afterAll(() => closeDatabase(db));

  /** Sends an example, after the one that creates its record, and rolls both back. */
  async function attempt(example: Example): Promise<void> {
    try {
      await db.transaction(async (tx) => {
        const { app } = makeTestApp({ db: tx });
        await sendInOrder(app, example);
        throw new RollBack();
      });
    } catch (error) {
      if (!(error instanceof RollBack)) throw error;
    } finally {
      await db.raw(resetSequences);
    }
  }

  async function sendInOrder(app: ReturnType<typeof makeTestApp>['app'], example: Example): Promise<void> {
    const source = findExampleSource(example.endpoint, storeReference.parameterExamples);
    const before = examples.find(({ endpoint }) => endpoint.route === source);
    if (before !== undefined) await sendInOrder(app, before);
    const { method, url, body, upload, success } = example;
    const verbs = request(app) as unknown as Record<string, (url: string) => request.Test>; // by the verb's name
    const test = verbs[method]?.(url).set('X-Store-Token', TOKEN);
    if (test === undefined) throw new Error(`no such verb: ${method}`);
    if (upload !== undefined) void test.attach(upload, PICTURE, 'tote.png');
    const reply = await (body === undefined ? test : test.send(body));
    const actual = success.includes(String(reply.status)) ? String(reply.status) : reply.text;
    expect([method, url, success]).toEqual([method, url, expect.arrayContaining([actual])]);
    expectDocumented(reply);
  }

  test('cover every operation', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
    expect(examples).toHaveLength(operations.length);
    expect(examples.filter(({ url }) => url.includes('undefined'))).toEqual([]);
  });

  const links = [...INTRODUCTION.matchAll(/\]\((\/api\/v1\/\w+\?[^)]+)\)/g)].map(([, url = '']) => url);
  const searches = examples
    .filter(({ endpoint, method }) => endpoint.search !== undefined && method === 'get')
    .map(({ endpoint, url }) => {
      const parameters: any[] = document.paths[toDocumentPath(endpoint.path)]?.['get'].parameters;
      const { description } = parameters.find(({ name }) => name === 'q');
      const [, search = 'none'] = /For example `([^`]+)`/.exec(description) ?? [];
      return `${url}${url.includes('?') ? '&' : '?'}${search}`;
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

  test.each(searches)('a list supports the search and the sort of its example: %s', async (url) => {
    const reply = await request(makeTestApp({ db }).app).get(encodeURI(url)).set('X-Store-Token', TOKEN);
    expect([reply.status, reply.headers['x-ignored-conditions'] ?? '']).toEqual([200, '']);
  });

  test.each(examples.map((example) => [`${example.method} ${example.endpoint.path}`, example] as const))(
    '%s',
    async (_name, example) => {
      await attempt(example);
    },
  );
});
