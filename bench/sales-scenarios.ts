import path from 'node:path';
import type { Knex } from 'knex';
import { withDb } from './databases';
import { withCountedStore } from './in-process-store';
import { calculateFigures, CONNECTIONS, measureGet, measureWork, median, type Figures } from './load';
import { startStore } from './processes';
import { measureRace } from './race';
import { openSection, type Report, type Section } from './report';
import { addStock, createPastOrders, readShop } from './sales-data';
import { buildTokenHeader, buy, createClient, expectOk, type Client, type Shop, type Step } from './shopper';
import { measureWriteLimit } from './write-limit';

const ADMIN_TOKEN = 'bench-admin-token';
const ADMIN = { 'X-Store-Token': ADMIN_TOKEN };

/** The targets: orders per second, p99 in milliseconds, statements per order. */
const TARGET = { rate: 100, p99: 200, statements: 80 };

export interface SalesBench {
  databaseUrl: string;
  folder: string;
  seconds: number;
  /** Number of completed orders for the order list scenarios. */
  orders: number;
}

/** The shared state of the scenarios. */
interface Scenario {
  bench: SalesBench;
  db: Knex;
  client: Client;
  storeUrl: string;
  shop: Shop;
  /** Variants with ample stock. */
  variantIds: number[];
  memory: () => Promise<number>;
}

/** Measures checkouts, line item changes and the race for the last units, with no orders in the store and with many. */
export async function measureSales(bench: SalesBench, report: Report): Promise<void> {
  const { databaseUrl, folder } = bench;
  await withDb(databaseUrl, async (db) => {
    const shop = await readShop(db);
    const variantIds = await addStock(db, 1_000_000);
    const store = await startStore({
      DATABASE_URL: databaseUrl,
      DATA_DIR: path.join(folder, 'store'),
      SEED: 'none',
      ADMIN_TOKEN,
    });
    const client = createClient(store.url);
    try {
      const scene = { bench, db, client, storeUrl: store.url, shop, variantIds, memory: store.memory };
      const few = openSection(report, 'Sales, without orders in the store');
      await measureCheckouts(scene, few);
      await measureLineItems(scene, few);
      await measureRecalculation(scene, few);
      await measureRace(scene, few);
      await createPastOrders(db, { orders: bench.orders, shop });
      const many = openSection(report, `Sales, with ${bench.orders} orders in the store`);
      await measureCheckouts(scene, many);
      await measureOrderReads(scene, many);
    } finally {
      client.close();
      await store.stop();
    }
  });
}

/** Measures whole checkouts relative to the write baseline of PostgreSQL, and the time of each request. */
async function measureCheckouts(scene: Scenario, section: Section): Promise<void> {
  const { bench, db, client, shop, variantIds } = scene;
  const limit = await measureWriteLimit({ db, databaseUrl: bench.databaseUrl }, variantIds, bench.seconds);
  section.addMeasurement({
    name: 'baseline: the same rows in seven commits through pg',
    unit: 'orders',
    ...limit,
  });
  const statements = await countStatements(scene);

  const times = new Map<Step, number[]>();
  const note = (step: Step, ms: number): void => {
    times.set(step, [...(times.get(step) ?? []), ms]);
  };
  let next = 0;
  const anyBasket = () => ({ variant_id: variantIds[(next += 1) % variantIds.length] ?? 0, quantity: 1 });
  await measureWork(async () => void (await buy(client, shop, anyBasket())), 1);
  const started = performance.now();
  const figures = await measureWork(async () => {
    await buy(client, shop, anyBasket(), { note });
  }, bench.seconds);
  const elapsed = performance.now() - started;
  section.addMeasurement({
    ...{ name: 'cart to complete, seven requests', unit: 'orders', ...figures },
    compared: { with: 'the baseline', ratio: figures.rate / limit.rate },
    statements: [...statements.values()].reduce((sum, count) => sum + count, 0),
    memory: await scene.memory(),
  });
  for (const [step, taken] of times) {
    section.addMeasurement({
      ...{ name: `  ${step}`, unit: 'req', ...calculateFigures(taken, elapsed) },
      statements: statements.get(step) ?? 0,
    });
  }
  section.addFinding(
    'targets',
    `${TARGET.rate} orders per second, p99 below ${TARGET.p99} ms, ${TARGET.statements} statements`,
  );
}

async function countStatements({ bench, shop, variantIds }: Scenario): Promise<Map<Step, number>> {
  return withCountedStore(bench, async ({ url, statements }) => {
    const client = createClient(url);
    const counts = new Map<Step, number>();
    const basket = { variant_id: variantIds[0] ?? 0, quantity: 1 };
    await buy(client, shop, basket);
    let before = statements();
    await buy(client, shop, basket, {
      note: (step) => {
        counts.set(step, statements() - before);
        before = statements();
      },
    });
    client.close();
    return counts;
  });
}

/** Measures eight buyers who each fill carts with ten different variants. */
async function measureLineItems(
  { bench, client, variantIds, memory }: Scenario,
  section: Section,
): Promise<void> {
  const times: number[] = [];
  const started = performance.now();
  let waited = 0;
  await measureWork(async (worker) => {
    const opened = performance.now();
    const { body: order } = await expectOk(client.send({ method: 'POST', path: '/orders' }));
    waited += performance.now() - opened;
    for (let line = 0; line < 10; line += 1) {
      const variant_id = variantIds[(worker * 100 + line) % variantIds.length];
      const body = { line_item: { variant_id, quantity: 1 } };
      const request = {
        method: 'POST',
        path: `/orders/${order.number}/line_items`,
        body,
        headers: buildTokenHeader(order),
      } as const;
      times.push((await expectOk(client.send(request))).ms);
    }
  }, bench.seconds);
  // Subtract the time spent on creating carts.
  const elapsed = performance.now() - started - waited / CONNECTIONS;
  section.addMeasurement({
    name: 'add a line item',
    unit: 'req',
    ...calculateFigures(times, elapsed),
    memory: await memory(),
  });
}

/** Measures the recalculation of an order, which should grow at most linearly with the number of line items. */
async function measureRecalculation({ client, variantIds }: Scenario, section: Section): Promise<void> {
  for (const lines of [10, 100, 500]) {
    const line_items = variantIds.slice(0, lines).map((variant_id) => ({ variant_id, quantity: 1 }));
    const opened = await expectOk(
      client.send({ method: 'POST', path: '/orders', body: { order: { line_items } } }),
    );
    const { number, line_items: made } = opened.body;
    const times: number[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      const body = { line_item: { quantity: 2 + (turn % 2) } };
      const request = {
        method: 'PUT',
        path: `/orders/${number}/line_items/${made[0]?.id ?? 0}`,
        body,
      } as const;
      times.push((await expectOk(client.send({ ...request, headers: buildTokenHeader(opened.body) }))).ms);
    }
    const found = `${median(times).toFixed(1)} ms (created with them in ${opened.ms.toFixed(0)} ms)`;
    section.addFinding(`change one quantity in an order with ${lines} line items`, found);
  }
}

/** Measures reading one order and searching orders. */
async function measureOrderReads(scene: Scenario, section: Section): Promise<void> {
  const { bench, storeUrl, memory } = scene;
  const url = `${storeUrl}/api/v1/orders`;
  const some = Math.max(1, Math.floor(bench.orders / 2));
  const reads: [string, string][] = [
    ['one order', `${url}/R8${String(some).padStart(8, '0')}`],
    ['order list, newest first', `${url}?q[s]=completed_at%20desc`],
    ['order list, exact e-mail address', `${url}?q[email_eq]=shopper-${some}@example.com`],
    ['order list, part of the e-mail address', `${url}?q[email_cont]=opper-${some}`],
    ['order list, last page', `${url}?page=${Math.max(1, Math.floor(bench.orders / 25))}`],
  ];
  for (const [name, read] of reads) {
    const figures: Figures = await measureGet({ url: read, headers: ADMIN }, bench.seconds);
    section.addMeasurement({ name, unit: 'req', ...figures, memory: await memory() });
  }
}
