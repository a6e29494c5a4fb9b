import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Knex } from 'knex';
import newman from 'newman';
import { CHECKOUT_FLOW } from '../../docs-content/postman/checkout-flow';
import { FLOW_FOLDER, VARIABLES } from '../../docs-content/postman/flow-folder';
import { closeDatabase } from '../../src/platform/database/knex';
import { anAdmin } from '../support/accounts.factory';
import { makeTestApp } from '../support/api';
import { createDemoDatabase } from '../support/demo-shop';
import { expectNoViolations } from '../support/invariants';
import { digestOf } from '../seeds/own-database';

interface Item {
  id: string;
  name: string;
  item?: Item[];
  event?: { script: { exec: string[] } }[];
  request?: {
    method: string;
    url: { raw: string; path: string[]; variable?: { value: string }[] };
    body?: { raw?: string };
  };
}

const FILE = path.resolve(__dirname, '../../docs/store.postman_collection.json');
const readCollection = (): { item: Item[]; variable: { key: string }[]; auth: unknown } =>
  JSON.parse(readFileSync(FILE, 'utf8'));

const collection = readCollection();
const requestsIn = (items: Item[]): Item[] =>
  items.flatMap((item) => (item.item === undefined ? [item] : requestsIn(item.item)));
const [flow, ...tags] = collection.item;

describe('the Postman collection', () => {
  test('starts with the checkout, followed by a folder for each tag of the document', () => {
    const document = JSON.parse(readFileSync(path.resolve(FILE, '../openapi.json'), 'utf8'));
    expect(flow?.name).toBe(FLOW_FOLDER);
    expect(tags.map(({ name }) => name)).toEqual(document.tags.map(({ name }: { name: string }) => name));
  });

  test('contains every operation of the document except aliases', () => {
    const { paths }: { paths: Record<string, object> } = JSON.parse(
      readFileSync(path.resolve(FILE, '../openapi.json'), 'utf8'),
    );
    const documented = Object.entries(paths).flatMap(([url, verbs]) =>
      Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${url}`),
    );
    const collected = requestsIn(tags).map(({ request }) => {
      const [address = ''] = request?.url.raw.split('?') ?? [];
      return `${request?.method} ${address.replace('{{baseUrl}}', '').replace(/:(\w+)|\{\{(\w+)\}\}/g, '{$1$2}')}`;
    });
    expect(collected.sort()).toEqual(documented.sort());
  });

  test('sends no invented values and defines all variables it uses', () => {
    const text = JSON.stringify(requestsIn(collection.item).map(({ request }) => request));
    expect(text.match(/"<[a-z]+>"|lorem|ipsum/gi)).toBeNull();
    const named = new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name));
    expect([...named].filter((name) => !((name ?? '') in VARIABLES))).toEqual([]);
    const values = requestsIn(tags).flatMap(({ request }) => request?.url.variable ?? []);
    expect(values.filter(({ value }) => value === '')).toEqual([]);
  });

  test('requests the same document as the reference', () => {
    const { paths } = JSON.parse(readFileSync(path.resolve(FILE, '../openapi.json'), 'utf8'));
    const { parameters } = paths['/api/v1/orders/{number}/documents/{id}.pdf'].get;
    const { example } = parameters.find(({ name }: { name: string }) => name === 'id');
    expect(collection.variable.find(({ key }) => key === 'id')).toMatchObject({ value: String(example) });
  });

  test('gives each item a unique id', () => {
    const items = [...collection.item, ...requestsIn(collection.item)];
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  });
});

describe('its checkout, run by newman in the demo store', () => {
  let db: Knex;
  let server: Server;

  beforeAll(async () => {
    db = await createDemoDatabase();
    const { app } = makeTestApp({ db });
    server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await closeDatabase(db);
  });

  async function run(
    given: object,
    options: { folder?: string | string[] } = { folder: FLOW_FOLDER },
  ): Promise<newman.Summary> {
    const { port } = server.address() as AddressInfo; // listens on TCP, so it is no pipe's name
    const { token } = await anAdmin(db);
    const envVar = Object.entries({ baseUrl: `http://127.0.0.1:${port}`, token });
    return new Promise((resolve, reject) => {
      newman.run(
        { collection: given, ...options, envVar: envVar.map(([key, value]) => ({ key, value })) },
        (error, summary) => (error === null ? resolve(summary) : reject(error)),
      );
    });
  }

  const toldBy = ({ run: { failures } }: newman.Summary) =>
    failures.map(({ error, source }) => `${source?.name}: ${error.test ?? error.name}: ${error.message}`);

  test('buys, ships, returns and refunds as its scripts expect', async () => {
    const summary = await run(collection);
    const expected = CHECKOUT_FLOW.reduce((sum, step) => sum + 1 + Object.keys(step.expected).length, 0);
    expect(toldBy(summary)).toEqual([]);
    expect(summary.run.stats.requests).toMatchObject({ total: CHECKOUT_FLOW.length, failed: 0 });
    expect(summary.run.stats.assertions).toMatchObject({ total: expected, failed: 0 });
    await expectNoViolations(undefined, db);
  });

  test('its other folders change nothing when they are run whole', async () => {
    const before = await digestOf(db);
    const folder = tags.map(({ name }) => name);
    const summary = await run(collection, { folder });
    const reads = requestsIn(tags).filter(({ request }) => request?.method === 'GET');
    expect(summary.run.stats.requests).toMatchObject({ total: reads.length, failed: 0 });
    const after = await digestOf(db);
    // The run creates its administrator, whose token remembers when it was used.
    for (const table of ['users', 'user_roles', 'roles_users', 'api_tokens']) {
      delete before[table];
      delete after[table];
    }
    // Reading the events first publishes the events of the checkout, into a table of the day.
    for (const tables of [before, after])
      for (const table of Object.keys(tables)) if (/^(event_notes|events)/.test(table)) delete tables[table];
    expect(after).toEqual(before);
  });

  test('reports failed expectations, and stops after a failed request', async () => {
    const wrong = readCollection();
    const capture = requestsIn(wrong.item).find(({ name }) => name === 'Capture the payment');
    const script = capture?.event?.[0]?.script;
    if (script === undefined) throw new Error('the flow captures nothing');
    script.exec = script.exec.map((line) => line.replace('eql("completed")', 'eql("pending")'));
    expect(toldBy(await run(wrong))).toEqual([
      "Capture the payment: reply.state is \"completed\": expected 'completed' to deeply equal 'pending'",
    ]);

    const steps = CHECKOUT_FLOW.findIndex(({ name }) => name === capture?.name) + 1;
    capture?.request?.url.path.push('nothing');
    const refused = await run(wrong);
    expect(toldBy(refused)[0]).toMatch(/^Capture the payment: status is 200/);
    expect(refused.run.stats.requests.total).toBe(steps);
  });
});
