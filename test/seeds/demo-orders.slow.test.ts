import type { Knex } from 'knex';
import { pino } from 'pino';
import { DEMO_ORDERS, loadDemoOrders } from '../../seeds/demo/orders';
import { DEMO_PASSWORD } from '../../seeds/demo/orders/people';
import { planStories } from '../../seeds/demo/orders/stories';
import { CATALOGUE } from '../../seeds/demo/products/catalogue';
import { planVariants } from '../../seeds/demo/variants';
import { writeCatalogue } from '../../seeds/demo/write-catalogue';
import { verifyPassword } from '../../src/accounts/passwords';
import type { Deps } from '../../src/sales/context';
import { createVariantStock } from '../../src/inventory/variant-stock';
import { fillBackorders } from '../../src/sales/fulfilment/fill-backorders';
import { createRateLimits } from '../../src/platform/rate-limits';
import { builtInGateways } from '../../src/sales/payment-processing/gateways/registry';
import { createOrderTurns } from '../../src/sales/order/order-turns';
import { stopAfterOrders } from '../support/demo-shop';
import { expectNoViolations } from '../support/invariants';
import { testStorage } from '../support/storage';
import { closeDatabase, digestOf, ownDatabase } from './own-database';
import { testMailer } from '../support/mail';

const NOW = new Date('2026-06-01T12:00:00Z');
const DAY_MS = 86_400_000;

const depsOf = (db: Knex): Deps => ({
  db,
  log: pino({ level: 'fatal' }),
  now: () => NOW,
  storage: testStorage(),
  variantStock: createVariantStock,
  onBackordersFilled: fillBackorders,
  gateways: builtInGateways,
  orderTurns: createOrderTurns(),
  mailer: testMailer(),
  limits: createRateLimits(db, 0),
  secret: Buffer.alloc(32, 'demo'),
});

/** Leaves two orders as an interruption does before the times of a step are moved into the past: of the sale, and of the parcel. */
async function undateTwoOrders(db: Knex): Promise<void> {
  const find = (shipment_state: string) =>
    db('orders')
      .where({ state: 'complete', shipment_state })
      .orderBy('id')
      .first<{ id: number; completed_at: Date }>('id', 'completed_at');
  const [sold, shipped] = [await find('ready'), await find('shipped')];
  const now = { created_at: db.fn.now() };
  await db('state_changes').where({ order_id: sold.id }).update(now);
  await db('orders').where({ id: sold.id }).update(now);
  await db('state_changes')
    .where({ order_id: shipped.id })
    .where('created_at', '>', new Date(shipped.completed_at.getTime() + DAY_MS))
    .update(now);
  await db('orders').where({ id: shipped.id }).update({ updated_at: db.fn.now() });
}

test('the plan is the same two hundred orders every time, with unique numbers', () => {
  const stories = planStories();
  expect(stories).toEqual(planStories());
  expect(stories).toHaveLength(200);
  expect(new Set(stories.map(({ number }) => number)).size).toBe(200);
  expect(stories.filter(({ lines }) => lines.length === 0)).toEqual([]);
});

describe('the orders of the demo store, interrupted and continued by two instances at once', () => {
  let db: Knex;
  let made: (number | null)[];

  beforeAll(async () => {
    db = await ownDatabase();
    await db.transaction(async (tx) => {
      await writeCatalogue(tx, NOW);
      await tx('seeds').insert({ name: DEMO_ORDERS });
    });
    const deps = depsOf(db);
    const first = await loadDemoOrders(deps, stopAfterOrders(25));
    await undateTwoOrders(db);
    made = [first, ...(await Promise.all([loadDemoOrders(deps), loadDemoOrders(deps)]))];
  });
  afterAll(() => closeDatabase(db));

  async function counts(column: string): Promise<Record<string, number>> {
    const rows = await db('orders').groupBy(column).select(`${column} as value`).count('* as count');
    return Object.fromEntries(rows.map(({ value, count }) => [String(value), Number(count)]));
  }

  test('are created once each', async () => {
    expect(made[0]).toBeGreaterThan(20);
    expect(made[0]).toBeLessThan(30);
    expect(made.reduce<number>((sum, count) => sum + (count ?? 0), 0)).toBe(200);
    expect(await db('orders').orderBy('number').pluck('number')).toEqual(
      planStories()
        .map(({ number }) => number)
        .sort(),
    );
  });

  test('cover every state', async () => {
    expect(await counts('state')).toEqual({
      cart: 10,
      address: 8,
      delivery: 8,
      payment: 8,
      confirm: 6,
      complete: 136,
      canceled: 12,
      awaiting_return: 4,
      returned: 8,
    });
    expect(await counts('payment_state')).toMatchObject({ balance_due: 43, void: 12, null: 40 });
    expect(await counts('shipment_state')).toMatchObject({
      shipped: 72,
      partial: 8,
      backorder: 10,
      canceled: 12,
    });
    expect(await counts('considered_risky')).toEqual({ true: 6, false: 194 });
    expect(await db('refunds').count().first()).toEqual({ count: '15' });
  });

  test('pass the consistency check', async () => {
    await expectNoViolations(undefined, db);
  });

  test('leave the stock of the catalogue unchanged except for backorders', async () => {
    const planned = new Map(
      CATALOGUE.flatMap(planVariants).map(({ sku, count_on_hand }) => [sku, count_on_hand]),
    );
    const items: { sku: string; count_on_hand: number }[] = await db('stock_items')
      .join('variants', 'variants.id', 'stock_items.variant_id')
      .select('sku', 'count_on_hand');
    const moved = items.filter(({ sku, count_on_hand }) => count_on_hand !== planned.get(sku));
    expect(moved.length).toBeGreaterThan(0);
    expect(moved.filter(({ count_on_hand }) => count_on_hand >= 0)).toEqual([]);
  });

  test('are from the past half year, with their steps in order', async () => {
    const { rows: times } = await db.raw<{ rows: { first: Date; last: Date; completed: Date }[] }>(
      'SELECT min(created_at) AS first, max(created_at) AS last, max(completed_at) AS completed FROM orders',
    );
    const daysAgo = (time: Date | undefined) => (NOW.getTime() - (time?.getTime() ?? 0)) / DAY_MS;
    expect(daysAgo(times[0]?.first)).toBeGreaterThan(120);
    expect(daysAgo(times[0]?.first)).toBeLessThan(180);
    expect(daysAgo(times[0]?.last)).toBeGreaterThan(0);
    expect(daysAgo(times[0]?.completed)).toBeGreaterThan(0);
    for (const table of ['line_items', 'payments', 'shipments', 'adjustments', 'state_changes', 'refunds']) {
      expect([table, await db(table).where('created_at', '>=', NOW).count()]).toEqual([
        table,
        [{ count: '0' }],
      ]);
    }
    const { rows } = await db.raw(
      `SELECT id FROM (SELECT id, created_at, lag(created_at) OVER (PARTITION BY order_id ORDER BY id) AS before
                         FROM state_changes) AS steps WHERE created_at < before`,
    );
    expect(rows).toEqual([]);
  });

  test('belong to guests and customers at example.com who sign in with the documented password', async () => {
    const emails: string[] = await db('orders').distinct('email').pluck('email');
    expect(emails.length).toBeGreaterThan(15);
    expect(emails.filter((email) => !email.endsWith('@example.com'))).toEqual([]);
    expect(await counts('user_id')).toHaveProperty('null');
    const digests: string[] = await db('users').distinct('password_digest').pluck('password_digest');
    const [digest = '', ...others] = digests.filter((one) => one !== 'none');
    expect([others, await verifyPassword(digest, DEMO_PASSWORD)]).toEqual([[], true]);
    expect(
      await db('user_roles').join('roles', 'roles.id', 'role_id').distinct('name').pluck('name'),
    ).toEqual(['customer']);
  });

  test('are not created again', async () => {
    const before = await digestOf(db);
    expect(await loadDemoOrders(depsOf(db))).toBeNull();
    expect(await digestOf(db)).toEqual(before);
  });
});

test('a store without the demo catalogue gets no orders', async () => {
  const db = await ownDatabase();
  try {
    expect(await loadDemoOrders(depsOf(db))).toBeNull();
    expect(await db('users').count().first()).toEqual({ count: '0' });
  } finally {
    await closeDatabase(db);
  }
});

test('orders omit products that the owner has deleted meanwhile', async () => {
  const db = await ownDatabase();
  try {
    await db.transaction(async (tx) => {
      await writeCatalogue(tx, NOW);
      await tx('seeds').insert({ name: DEMO_ORDERS });
    });
    const [sold] = planStories().flatMap(({ lines }) => lines);
    await db('variants').where({ sku: sold?.sku }).update({ deleted_at: NOW });
    const affected = planStories().filter(({ lines }) => lines.some(({ sku }) => sku === sold?.sku));
    // The first ones show that a rejected order does not stop the others.
    const oldest = planStories().slice(0, 8);
    const made = await loadDemoOrders(depsOf(db), stopAfterOrders(8));
    expect(made).toBe(
      oldest.filter((story) => !affected.some(({ number }) => number === story.number)).length,
    );
    await expectNoViolations(undefined, db);
  } finally {
    await closeDatabase(db);
  }
});
