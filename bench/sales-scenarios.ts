import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { findViolations } from '../src/sales/verify/find-violations';
import { measureCarts, measureLineItems } from './cart-scenarios';
import { startCountingProxy } from './counting-proxy';
import { createPostgresClock, startCpuMeasurement, type CpuClocks } from './cpu';
import { withDb } from './databases';
import { withCountedStore } from './in-process-store';
import { calculateFigures, measureGet, measureWork, median, type Figures } from './load';
import { startStore } from './processes';
import { measureRace } from './race';
import { openSection, type Report, type Section } from './report';
import { addStock, createPastOrders, readShop } from './sales-data';
import { buildTokenHeader, buy, createClient, expectOk, type Client, type Shop, type Step } from './shopper';
import { measureWriteLimit, type WriteMode } from './write-limit';

const ADMIN_TOKEN = 'bench-admin-token';
const ADMIN = { 'X-Store-Token': ADMIN_TOKEN };

/** The targets: orders per second, p99 in milliseconds, statements per order. */
const TARGET = { rate: 100, p99: 200, statements: 80 };

/**
 * Checkouts before the measured ones. V8 compiles the code of a checkout during the first few hundred, which takes a
 * third of their CPU time; a shop restarts rarely.
 */
const WARM_UP_SECONDS = 15;

export interface SalesBench {
  databaseUrl: string;
  /** A copy of the database for the write baselines. */
  limitUrl: string;
  folder: string;
  seconds: number;
  /** Processes of the store. */
  workers: number;
  /** Number of completed orders for the order list scenarios. */
  orders: number;
}

/** The shared state of the scenarios. */
export interface Scenario {
  bench: SalesBench;
  db: Knex;
  client: Client;
  storeUrl: string;
  shop: Shop;
  /** Variants with ample stock. */
  variantIds: number[];
  memory: () => Promise<number>;
  clocks: CpuClocks;
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
      WORKERS: String(bench.workers),
    });
    const client = createClient(store.url);
    try {
      const clocks = { server: store.cpu, postgres: createPostgresClock(folder) };
      const scene = {
        bench,
        db,
        client,
        storeUrl: store.url,
        shop,
        variantIds,
        memory: store.memory,
        clocks,
      };
      const few = openSection(report, 'Sales, without orders in the store');
      await measureCheckouts(scene, few);
      await measureCarts(scene, few);
      await measureLineItems(scene, few);
      await measureRecalculation(scene, few);
      await measureRace(scene, few);
      if (bench.orders > 0) {
        await createPastOrders(db, { orders: bench.orders, shop });
        const many = openSection(report, `Sales, with ${bench.orders} orders in the store`);
        await measureCheckouts(scene, many);
        await measureOrderReads(scene, many);
      }
      await reportViolations(db, openSection(report, 'The store afterwards'));
    } finally {
      client.close();
      await store.stop();
    }
  });
}

/** Checks the consistency of the store after all scenarios, as `store verify` does. */
async function reportViolations(db: Knex, section: Section): Promise<void> {
  const started = performance.now();
  const violations = await findViolations(db);
  section.addFinding('violations found by verify', String(violations.length));
  section.addFinding('seconds that verify took', ((performance.now() - started) / 1000).toFixed(1));
  for (const { table, rule, total } of violations) section.addFinding(`  ${total} in ${table}`, rule);
}

/** Measures whole checkouts relative to the write baseline of PostgreSQL, and the time of each request. */
async function measureCheckouts(scene: Scenario, section: Section): Promise<void> {
  const { bench, db, client, shop, variantIds } = scene;
  const limit = await measureLimits(scene, section);
  const statements = await countStatements(scene);

  const times = new Map<Step, number[]>();
  const note = (step: Step, ms: number): void => {
    times.set(step, [...(times.get(step) ?? []), ms]);
  };
  let next = 0;
  const anyBasket = () => ({ variant_id: variantIds[(next += 1) % variantIds.length] ?? 0, quantity: 1 });
  await measureWork(async () => void (await buy(client, shop, anyBasket())), WARM_UP_SECONDS);
  const before = await readWrites(db);
  const readCpu = startCpuMeasurement(scene.clocks);
  const started = performance.now();
  let orders = 0;
  const figures = await measureWork(async () => {
    await buy(client, shop, anyBasket(), { note });
    orders += 1;
  }, bench.seconds);
  const cpu = readCpu(orders);
  const elapsed = performance.now() - started;
  section.addMeasurement({
    name: 'cart to complete, seven requests',
    unit: 'orders',
    ...figures,
    cpu,
    compared: { with: 'seven bare commits', ratio: figures.rate / limit.rate },
    statements: statements.total,
    memory: await scene.memory(),
  });
  for (const [step, taken] of times) {
    section.addMeasurement({
      name: `  ${step}`,
      unit: 'req',
      ...calculateFigures(taken, elapsed),
      statements: statements.byStep.get(step) ?? 0,
    });
  }
  section.addFinding('waits for PostgreSQL per order', String(statements.waits));
  await reportWrites(db, { before, orders }, section);
  section.addFinding(
    'targets',
    `${TARGET.rate} orders per second, p99 below ${TARGET.p99} ms, ${TARGET.statements} statements`,
  );
}

/** Measures the write baselines. @returns that of seven bare commits */
async function measureLimits({ bench, variantIds }: Scenario, section: Section): Promise<Figures> {
  const measure = async (mode: WriteMode, name: string): Promise<Figures> => {
    const postgres = createPostgresClock(bench.folder);
    const readCpu = startCpuMeasurement({ server: () => null, postgres });
    const target = { databaseUrl: bench.limitUrl, mode };
    const { figures, orders } = await measureWriteLimit(target, variantIds, bench.seconds);
    section.addMeasurement({ name, unit: 'orders', ...figures, cpu: readCpu(orders) });
    return figures;
  };
  await measure('rows', 'baseline: the rows of a checkout in seven commits');
  return measure('bare', 'baseline: seven bare commits');
}

interface Writes {
  wal: number;
  updates: number;
  hot: number;
}

/** Reads how much WAL has been written, and how many rows of orders were updated, in total and in place (HOT). */
async function readWrites(db: Knex): Promise<Writes> {
  const { rows } = await db.raw<{ rows: Record<keyof Writes, string>[] }>(
    `SELECT pg_current_wal_lsn() - '0/0' AS wal, n_tup_upd AS updates, n_tup_hot_upd AS hot
     FROM pg_stat_user_tables WHERE relname = 'orders'`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('there are no statistics of orders');
  return { wal: Number(row.wal), updates: Number(row.updates), hot: Number(row.hot) };
}

async function reportWrites(
  db: Knex,
  { before, orders }: { before: Writes; orders: number },
  section: Section,
): Promise<void> {
  // Connections report their statistics once a second.
  await wait(1_500);
  const after = await readWrites(db);
  const share = (after.hot - before.hot) / Math.max(1, after.updates - before.updates);
  section.addFinding('WAL per order', `${((after.wal - before.wal) / orders / 1024).toFixed(1)} KB`);
  section.addFinding('updates of orders in place (HOT)', `${(100 * share).toFixed(0)} %`);
}

interface StatementCounts {
  byStep: Map<Step, number>;
  total: number;
  /** Round trips to PostgreSQL; statements that are sent together wait once. */
  waits: number;
}

async function countStatements({ bench, shop, variantIds }: Scenario): Promise<StatementCounts> {
  const proxy = await startCountingProxy(bench.databaseUrl);
  const basket = { variant_id: variantIds[0] ?? 0, quantity: 1 };
  try {
    return await withCountedStore({ ...bench, databaseUrl: proxy.url }, async ({ url, statements }) => {
      const client = createClient(url);
      const byStep = new Map<Step, number>();
      for (let warmUp = 0; warmUp < 5; warmUp += 1) await buy(client, shop, basket);
      const first = { statements: statements(), waits: proxy.waits() };
      let before = first.statements;
      const note = (step: Step): void => {
        byStep.set(step, statements() - before);
        before = statements();
      };
      await buy(client, shop, basket, { note });
      client.close();
      return { byStep, total: before - first.statements, waits: proxy.waits() - first.waits };
    });
  } finally {
    await proxy.close();
  }
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
    ['one order', `${url}/P${String(some).padStart(9, '0')}`],
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
