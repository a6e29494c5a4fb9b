import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listProcesses, sendSignal } from '../../src/platform/database/embedded/processes';
import { killPrograms, startProgram, type Program } from '../support/program';
import { queryUrl } from '../support/query-url';
import { cutReplication, promote, startPair, waitForStandby, type Pair } from '../support/standby';

const ADMIN_TOKEN = 'failover-admin-token';

let folder: string;
let pair: Pair;
let store: Program;

const settings = (url: string) => ({
  DATABASE_URL: url,
  DATA_DIR: path.join(folder, 'store'),
  SEED: 'reference',
  ADMIN_TOKEN,
  SECRET_KEY: 'the same on every instance',
  RATE_LIMIT_SCALE: '0',
});

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-failover-')));
  pair = await startPair(folder);
});

afterEach(async () => {
  killPrograms();
  signalPrimary('SIGCONT');
  await pair.standby.stop();
  await pair.primary.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

/** Sends a signal to every process of the primary. */
function signalPrimary(signal: NodeJS.Signals): void {
  for (const pid of listProcesses(path.join(folder, 'primary', 'postgres'))) sendSignal(pid, signal);
}

/** The ways in which a primary ends. A frozen one keeps its connections, and accepts new ones without an answer. */
const ENDS: Record<string, () => Promise<void>> = {
  stopped: () => pair.primary.stop(),
  frozen: () => Promise.resolve(signalPrimary('SIGSTOP')),
};

/** Returns the URL with the hosts of both servers. */
function nameBoth(): string {
  const { host } = new URL(pair.standby.url);
  const url = new URL(pair.primary.url);
  url.searchParams.set('target_session_attrs', 'read-write');
  // The standby first: the order must not matter.
  return url.href.replace(url.host, `${host},${url.host}`);
}

async function send(method: string, path: string, body?: object): Promise<{ status: number; body: any }> {
  const reply = await fetch(`${store.url}${path}`, {
    method,
    headers: { 'X-Store-Token': ADMIN_TOKEN, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: await reply.json() };
}

test.each(Object.entries(ENDS))(
  'a store with the hosts of both servers follows it when the primary is %s, and shows nothing of lost commits',
  async (_name, end) => {
    store = await startProgram(settings(nameBoth()));
    const { body: categories } = await send('GET', '/api/v1/shipping_categories');
    const { body: product } = await send('POST', '/api/v1/products', {
      product: { name: 'Mug', price: '10', shipping_category_id: categories.shipping_categories[0].id },
    });
    await queryUrl(pair.primary.url, 'UPDATE stock_items SET backorderable = true');
    await waitForStandby(pair);
    await cutReplication(pair);
    const setPrice = (price: string) => send('PUT', `/api/v1/products/${product.id}`, { product: { price } });
    const readPrices = async () => {
      const shown = await send('GET', `/api/v1/products/${product.id}`);
      const line_items = [{ variant_id: product.master.id, quantity: 1 }];
      const { body: cart } = await send('POST', '/api/v1/orders', { order: { line_items } });
      const line = await send('POST', `/api/v1/orders/${cart.number}/line_items`, {
        line_item: { variant_id: product.master.id, quantity: 1 },
      });
      return [shown.body.price, cart.line_items[0].price, line.body.price];
    };
    expect((await setPrice('77.77')).status).toBe(200);
    expect(await readPrices()).toEqual(['77.77', '77.77', '77.77']);

    const statuses = new Set<number>();
    let isOver = false;
    const load = async () => {
      while (!isOver) {
        const { status } = await send('POST', '/api/v1/orders', { order: {} });
        statuses.add(status);
        statuses.add((await send('GET', '/api/v1/products')).status);
      }
    };
    const loads = [load(), load(), load()];
    await end();
    while ((await send('GET', '/health/ready')).status !== 503);
    await promote(pair);
    while ((await send('GET', '/health/ready')).status !== 200);
    isOver = true;
    await Promise.all(loads);
    expect([...statuses].filter((status) => ![200, 201, 503].includes(status))).toEqual([]);

    expect((await setPrice('99.99')).status).toBe(200);
    expect(await readPrices()).toEqual(['99.99', '99.99', '99.99']);
  },
);
