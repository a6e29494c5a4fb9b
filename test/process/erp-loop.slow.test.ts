import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadLargeCatalogue } from '../../seeds/load/load-catalogue';
import { anAdmin } from '../support/accounts.factory';
import { testDb } from '../support/database';
import { expectNoViolations } from '../support/invariants';
import { aSellableVariant } from '../support/orders.factory';
import { createShopper } from '../support/program-shopper';
import { killPrograms, startInstances } from '../support/program';
import { getDefaultLocationId } from '../support/shipments.factory';

const SKUS = 10_000;
const BATCH = 1_000;
const BUYERS = 4;
const ORDERS_EACH = 4;

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-erp-')));
});

afterAll(() => {
  killPrograms();
  rmSync(folder, { recursive: true, force: true });
});

/** A client that repeats its requests at another instance until one answers. */
function createErp(chooseUrl: () => string, token: string) {
  const send = async (method: string, target: string, body?: object): Promise<any> => {
    const key = crypto.randomUUID();
    for (let attempt = 1; ; attempt += 1) {
      const reply = await fetch(`${chooseUrl()}/api/v1${target}`, {
        method,
        headers: { 'Content-Type': 'application/json', 'X-Store-Token': token, 'Idempotency-Key': key },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }).catch(() => null);
      if (reply?.status === 200) return reply.json();
      const isPassing = reply === null || [409, 503].includes(reply.status);
      if (!isPassing || attempt === 100)
        throw new Error(`${target}: ${reply?.status} ${await reply?.text()}`);
    }
  };
  /** Follows a feed: each call returns what has changed since the call before. */
  const follow = (list: string, query: string) => {
    let cursor = '';
    return async (): Promise<any[]> => {
      const records: any[] = [];
      for (;;) {
        const page = await send('GET', `/${list}?${query}&per_page=500&cursor=${cursor}`);
        records.push(...page[list]);
        cursor = page.next_cursor;
        if (!page.more) return records;
      }
    };
  };
  return { send, follow };
}

async function isBeforeHorizon(time: Date): Promise<boolean> {
  const { rows } = await testDb().raw('SELECT feed_horizon() > ? AS passed', [time]);
  return rows[0].passed;
}

test('an ERP that follows the feeds misses no order and no SKU, although an instance is killed', async () => {
  // In steps: each ends with the statistics that the next one needs.
  for (const products of [200, 1_000, Math.ceil(SKUS / 3)]) await loadLargeCatalogue(testDb(), { products });
  const bought = await aSellableVariant({ stock: 1_000 });
  const { token } = await anAdmin();
  const location = await getDefaultLocationId();
  const skus: string[] = await testDb()('variants')
    .join('stock_items', 'stock_items.variant_id', 'variants.id')
    .where({ is_master: false, stock_location_id: location })
    .whereLike('sku', 'LOAD-%')
    .orderBy('variants.id')
    .limit(SKUS)
    .pluck('sku');
  expect(skus).toHaveLength(SKUS);

  const { one, alive, chooseUrl } = await startInstances(folder);
  const erp = createErp(chooseUrl, token);

  const feeds = {
    orders: erp.follow('orders', ''),
    variants: erp.follow('variants', 'fields=sku,price'),
    stock_items: erp.follow('stock_items', `stock_location_id=${location}`),
  };
  await Promise.all([feeds.variants(), feeds.stock_items()]); // the first copy

  const copy = {
    orders: new Set<string>(),
    prices: new Map<string, string>(),
    counts: new Map<string, number>(),
  };
  const readOrders = async () => {
    for (const { number } of await feeds.orders()) copy.orders.add(number);
  };
  const readVariants = async () => {
    for (const { sku, price } of await feeds.variants()) copy.prices.set(sku, price);
  };
  const readStock = async () => {
    for (const item of await feeds.stock_items()) copy.counts.set(item.variant.sku, item.count_on_hand);
  };

  const writeBatches = async (): Promise<void> => {
    for (let first = 0; first < SKUS; first += BATCH) {
      const batch = skus.slice(first, first + BATCH);
      const counts = batch.map((sku, n) => ({
        sku,
        stock_location_id: location,
        count_on_hand: 5_000 + first + n,
      }));
      const prices = batch.map((sku, n) => ({ sku, price: `${1_000 + first + n}.5` }));
      await erp.send('POST', '/bulk/stock', { rows: counts });
      await erp.send('POST', '/bulk/prices', { rows: prices });
      if (first === (SKUS * 2) / 5) {
        one.child.kill('SIGKILL');
        alive.shift();
      }
    }
  };
  const shopper = await createShopper(chooseUrl);
  const numbers: string[] = [];
  const buyAll = async (): Promise<void> => {
    for (let order = 0; order < ORDERS_EACH; order += 1) numbers.push(await shopper.buy(bought.id));
  };

  let isRunning = true;
  const readAll = async (): Promise<void> => {
    await readOrders();
    await readVariants();
    await readStock();
  };
  const keepReading = async (): Promise<void> => {
    while (isRunning) await readAll();
    // Feeds end at the start of the oldest open transaction, such as one that publishes events.
    const { rows } = await testDb().raw('SELECT clock_timestamp() AS end');
    while (!(await isBeforeHorizon(rows[0].end))) await readAll();
    await readAll();
  };
  const writing = Promise.all([writeBatches(), ...Array.from({ length: BUYERS }, buyAll)]).finally(() => {
    isRunning = false;
  });
  await Promise.all([writing, keepReading()]);

  expect(await one.exited).toBe(null);
  expect(numbers).toHaveLength(BUYERS * ORDERS_EACH);
  const completed = await testDb()('orders').whereNotNull('completed_at').pluck('number');
  expect([...copy.orders].sort()).toEqual(completed.sort());
  expect(completed).toEqual(expect.arrayContaining(numbers));
  const wrong = skus.filter(
    (sku, n) => copy.prices.get(sku) !== `${1_000 + n}.5` || copy.counts.get(sku) !== 5_000 + n,
  );
  expect(wrong).toEqual([]);
  await expectNoViolations();
});
