import path from 'node:path';
import type { Knex } from 'knex';
import { withDb } from './databases';
import { withCountedStore } from './in-process-store';
import { CONNECTIONS, figuresOf, measureGet, measureWork, median, type Figures } from './load';
import { startStore } from './processes';
import { measureRace } from './race';
import { openSection, type Report, type Section } from './report';
import { fillOrders, readShop, stockUp } from './sales-data';
import { buy, expectOk, newClient, tokenOf, type Client, type Shop, type Step } from './shopper';
import { measureWriteLimit } from './write-limit';

const ADMIN_TOKEN = 'bench-admin-token';
const ADMIN = { 'X-Store-Token': ADMIN_TOKEN };

/** Aimed at: whole orders a second, and the time 99 of 100 of them stay under. */
const AIM = { rate: 100, p99: 200, statements: 80 };

export interface SalesBench {
  databaseUrl: string;
  folder: string;
  seconds: number;
  /** Completed orders of the past that the order index is searched among. */
  orders: number;
}

/** What the scenarios share. */
interface Scene {
  bench: SalesBench;
  db: Knex;
  client: Client;
  storeUrl: string;
  shop: Shop;
  /** Plenty of each is in stock. */
  variantIds: number[];
  memory: () => Promise<number>;
}

/** Measures checkouts, changes of lines and races for the last units, with no orders in the store and with many. */
export async function measureSales(bench: SalesBench, report: Report): Promise<void> {
  const { databaseUrl, folder } = bench;
  await withDb(databaseUrl, async (db) => {
    const shop = await readShop(db);
    const variantIds = await stockUp(db, 1_000_000);
    const store = await startStore({
      DATABASE_URL: databaseUrl,
      DATA_DIR: path.join(folder, 'store'),
      SEED: 'none',
      ADMIN_TOKEN,
    });
    const client = newClient(store.url);
    try {
      const scene = { bench, db, client, storeUrl: store.url, shop, variantIds, memory: store.memory };
      const few = openSection(report, 'Sales, in a store without orders');
      await measureCheckouts(scene, few);
      await measureLineItems(scene, few);
      await measureRecalculation(scene, few);
      await measureRace(scene, few);
      await fillOrders(db, { orders: bench.orders, shop });
      const many = openSection(report, `Sales, in a store with ${bench.orders} orders`);
      await measureCheckouts(scene, many);
      await measureOrderReads(scene, many);
    } finally {
      client.close();
      await store.stop();
    }
  });
}

/** Whole checkouts beside what PostgreSQL takes at most, and the time of each of their requests. */
async function measureCheckouts(scene: Scene, section: Section): Promise<void> {
  const { bench, db, client, shop, variantIds } = scene;
  const limit = await measureWriteLimit({ db, databaseUrl: bench.databaseUrl }, variantIds, bench.seconds);
  section.measured({ name: 'the same rows in seven commits through pg', unit: 'orders', ...limit });
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
  section.measured({
    ...{ name: 'cart to complete, seven requests', unit: 'orders', ...figures },
    compared: { with: 'the limit', ratio: figures.rate / limit.rate },
    statements: [...statements.values()].reduce((sum, count) => sum + count, 0),
    memory: await scene.memory(),
  });
  for (const [step, taken] of times) {
    section.measured({
      ...{ name: `  ${step}`, unit: 'req', ...figuresOf(taken, elapsed) },
      statements: statements.get(step) ?? 0,
    });
  }
  section.found('aims', `${AIM.rate} orders a second, p99 under ${AIM.p99} ms, ${AIM.statements} statements`);
}

async function countStatements({ bench, shop, variantIds }: Scene): Promise<Map<Step, number>> {
  return withCountedStore(bench, async ({ url, statements }) => {
    const client = newClient(url);
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

/** Each of eight buyers fills one cart after the other with ten different things. */
async function measureLineItems(
  { bench, client, variantIds, memory }: Scene,
  section: Section,
): Promise<void> {
  const times: number[] = [];
  const started = performance.now();
  let waited = 0;
  await measureWork(async (worker) => {
    const opened = performance.now();
    const { body: order } = await expectOk(client.ask({ method: 'POST', path: '/orders' }));
    waited += performance.now() - opened;
    for (let line = 0; line < 10; line += 1) {
      const variant_id = variantIds[(worker * 100 + line) % variantIds.length];
      const body = { line_item: { variant_id, quantity: 1 } };
      const ask = {
        method: 'POST',
        path: `/orders/${order.number}/line_items`,
        body,
        headers: tokenOf(order),
      } as const;
      times.push((await expectOk(client.ask(ask))).ms);
    }
  }, bench.seconds);
  // What the eight spent on opening carts is not the line items' time.
  const elapsed = performance.now() - started - waited / CONNECTIONS;
  section.measured({
    name: 'add a line item',
    unit: 'req',
    ...figuresOf(times, elapsed),
    memory: await memory(),
  });
}

/** The cost of an order's recalculation should grow with its lines, no faster. */
async function measureRecalculation({ client, variantIds }: Scene, section: Section): Promise<void> {
  for (const lines of [10, 100, 500]) {
    const line_items = variantIds.slice(0, lines).map((variant_id) => ({ variant_id, quantity: 1 }));
    const opened = await expectOk(
      client.ask({ method: 'POST', path: '/orders', body: { order: { line_items } } }),
    );
    const { number, line_items: made } = opened.body;
    const times: number[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      const body = { line_item: { quantity: 2 + (turn % 2) } };
      const ask = { method: 'PUT', path: `/orders/${number}/line_items/${made[0]?.id ?? 0}`, body } as const;
      times.push((await expectOk(client.ask({ ...ask, headers: tokenOf(opened.body) }))).ms);
    }
    const found = `${median(times).toFixed(1)} ms (opened with them in ${opened.ms.toFixed(0)} ms)`;
    section.found(`one quantity changed in an order of ${lines} lines`, found);
  }
}

/** Reading one order, and finding orders among many. */
async function measureOrderReads(scene: Scene, section: Section): Promise<void> {
  const { bench, storeUrl, memory } = scene;
  const url = `${storeUrl}/api/v1/orders`;
  const some = Math.max(1, Math.floor(bench.orders / 2));
  const reads: [string, string][] = [
    ['order show', `${url}/R8${String(some).padStart(8, '0')}`],
    ['order index, newest first', `${url}?q[s]=completed_at%20desc`],
    ['order index, one found by its e-mail', `${url}?q[email_eq]=shopper-${some}@example.com`],
    ['order index, a piece of the e-mail', `${url}?q[email_cont]=opper-${some}`],
    ['order index, the last page', `${url}?page=${Math.max(1, Math.floor(bench.orders / 25))}`],
  ];
  for (const [name, read] of reads) {
    const figures: Figures = await measureGet({ url: read, headers: ADMIN }, bench.seconds);
    section.measured({ name, unit: 'req', ...figures, memory: await memory() });
  }
}
