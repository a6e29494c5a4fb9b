import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import request from 'supertest';
import { createStoreMetrics } from '../../../src/boot/metrics';
import { closeDatabase, connectDatabase } from '../../../src/platform/database/knex';
import { recordJobRuns } from '../../../src/platform/job-runs';
import { startJob } from '../../../src/platform/jobs';
import { collectOwn } from '../../../src/platform/metrics/cluster-metrics';
import { withTransaction } from '../../../src/platform/database/transaction';
import { keepFigures } from '../../../src/platform/metrics/figures';
import { enqueue } from '../../../src/platform/queue/enqueue';
import { unique } from '../../support/unique';
import { orderInState } from '../../support/orders.factory';
import { makeTestApp, type TestApp } from '../../support/api';
import { ensureTestDatabase, testDb } from '../../support/database';
import { testStorage } from '../../support/storage';

const TOKEN = 'prometheus-reads-metrics';
const log = pino({ level: 'silent' });

function appWith(token: string | null = null, options: object = {}, db = testDb()): TestApp {
  const metrics = createStoreMetrics({ db, replica: db, log, token, collect: collectOwn });
  return makeTestApp({ db }, { metrics, ...options });
}

/** Returns the samples by their name with labels, as Prometheus writes them. */
async function read({ app }: TestApp = appWith()): Promise<Map<string, number>> {
  const { status, text, headers } = await request(app).get('/metrics');
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/ (\S+)$/.exec(line)?.[1])]));
}

/** Returns how much a sample has grown; a missing one counts as 0. */
async function growth(name: string, work: (test: TestApp) => Promise<unknown>, test = appWith()) {
  const before = (await read(test)).get(name) ?? 0;
  await work(test);
  return ((await read(test)).get(name) ?? 0) - before;
}

describe('who may read the metrics', () => {
  const status = async (token: string | null, headers: Record<string, string>, options: object = {}) =>
    (await request(appWith(token, options).app).get('/metrics').set(headers)).status;

  test('without METRICS_TOKEN, programs on this machine, but not what a proxy passes on', async () => {
    expect(await status(null, {})).toBe(200);
    const forwarded = [
      { 'X-Forwarded-For': '203.0.113.7' },
      { 'X-Forwarded-For': '127.0.0.1' },
      { 'X-Real-IP': '127.0.0.1' },
      { Forwarded: 'for=127.0.0.1' },
      { Via: '1.1 proxy' },
    ];
    for (const headers of forwarded)
      for (const trustProxy of [0, 1, ['loopback']])
        expect([headers, trustProxy, await status(null, headers, { trustProxy })]).toEqual([
          headers,
          trustProxy,
          401,
        ]);
  });

  test('with METRICS_TOKEN, whoever has it', async () => {
    expect(await status(TOKEN, { Authorization: `Bearer ${TOKEN}`, 'X-Forwarded-For': '203.0.113.7' })).toBe(
      200,
    );
    for (const Authorization of ['', 'Bearer ', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN])
      expect([Authorization, await status(TOKEN, { Authorization })]).toEqual([Authorization, 401]);
  });
});

describe('requests', () => {
  const ok = 'http_request_duration_seconds_count{method="GET",route="/api/v1/countries/:id",status="404"}';

  test('are counted by route pattern; paths and methods that are unknown share a label', async () => {
    expect(await growth(ok, ({ app }) => request(app).get('/api/v1/countries/0'))).toBe(1);
    const unknown = 'http_request_duration_seconds_count{method="GET",route="unknown",status="404"}';
    const paths = ['/wp-login.php', '/api/v1/nothing-1', '/api/v1/nothing-2'];
    const visit = async ({ app }: TestApp) => {
      for (const path of paths) await request(app).get(path);
    };
    expect(await growth(unknown, visit)).toBe(3);
    const test = appWith();
    await request(test.app).propfind('/');
    const names = [...(await read(test)).keys()].join('\n');
    expect(names).toContain('method="other",route="unknown"');
    expect(names).not.toMatch(/nothing-|wp-login|PROPFIND/);
  });

  test('are counted by error code; shed load is overloaded', async () => {
    const code = (name: string) => `store_http_errors_total{code="${name}"}`;
    expect(await growth(code('route_unknown'), ({ app }) => request(app).get('/api/v1/nothing'))).toBe(1);
    const full = appWith(null, { maxInFlight: 0 });
    expect(await growth(code('overloaded'), ({ app }) => request(app).get('/api/v1/countries'), full)).toBe(
      1,
    );
  });
});

test('cached replies are counted as hits and misses', async () => {
  const list = ({ app }: TestApp) => request(app).get('/api/v1/products?per_page=1');
  const test = appWith();
  const reads = (result: string) => `store_cache_reads_total{cache="catalog replies",result="${result}"}`;
  expect(await growth(reads('miss'), list, test)).toBe(1);
  expect(await growth(reads('hit'), list, test)).toBe(1);
});

test('a pool shows its connections and what waits for one, until it is closed', async () => {
  const db = connectDatabase({
    url: await ensureTestDatabase(),
    poolSize: 2,
    log,
    poolName: 'tiny',
    slowStatementMs: 1,
  });
  const slow = (await read()).get('store_db_slow_statements_total') ?? 0;
  const used = await db.transaction();
  const other = await db.transaction();
  await used.raw('SELECT pg_sleep(0.01)');
  await other.raw('SELECT 1');
  const waiting = db.raw('SELECT 1').then(() => undefined);
  const samples = await read();
  expect(samples.get('store_db_pool_connections{pool="tiny",state="used"}')).toBe(2);
  expect(samples.get('store_db_pool_size{pool="tiny"}')).toBe(2);
  expect(samples.get('store_db_pool_waiting{pool="tiny"}')).toBe(1);
  expect(samples.get('store_db_slow_statements_total')).toBeGreaterThan(slow);
  await Promise.all([used.rollback(), other.rollback()]);
  await waiting;
  await closeDatabase(db);
  expect([...(await read()).keys()].filter((name) => name.includes('tiny'))).toEqual([]);
});

test('jobs of all processes show runs, failures, durations and the last of each', async () => {
  const name = unique('measured');
  const run = (work: () => Promise<unknown>) => startJob({ name, everyMs: 60_000, log }, work).stop();
  const before = Date.now() / 1000 - 0.001;
  await run(() => Promise.resolve());
  await recordJobRuns(testDb());
  await run(() => Promise.reject(new Error('no')));
  await run(() => Promise.resolve());
  await recordJobRuns(testDb());
  const samples = await read();
  const valueOf = (metric: string, labels = '') => samples.get(`${metric}{job="${name}"${labels}}`);
  expect(valueOf('store_job_runs_total', ',outcome="success"')).toBe(2);
  expect(valueOf('store_job_runs_total', ',outcome="failure"')).toBe(1);
  expect(valueOf('store_job_seconds_total')).toBeGreaterThan(0);
  expect(valueOf('store_job_last_success_timestamp_seconds')).toBeGreaterThanOrEqual(before);
  expect(valueOf('store_job_last_failure_timestamp_seconds')).toBeGreaterThanOrEqual(before);
});

test('the queue shows its jobs by task and state, its oldest job and its workers', async () => {
  await withTransaction({ db: testDb() }, (tx) => {
    enqueue(tx, 'measured_task', {}, { runAt: new Date(Date.now() - 60_000) });
    enqueue(tx, 'measured_task', [{}, {}], { runAt: new Date(Date.now() - 60_000) });
    enqueue(tx, 'measured_task', {}, { runAt: new Date(Date.now() + 60_000) });
    return Promise.resolve();
  });
  await testDb()('queue_workers').insert([
    { id: randomUUID(), worker_ids: [], seen_at: new Date() },
    { id: randomUUID(), worker_ids: [], seen_at: new Date(Date.now() - 60_000) },
  ]);
  const samples = await read();
  expect(samples.get('store_queue_jobs{task="measured_task",state="waiting"}')).toBe(3);
  expect(samples.get('store_queue_jobs{task="measured_task",state="scheduled"}')).toBe(1);
  expect(samples.get('store_queue_oldest_waiting_seconds')).toBeGreaterThanOrEqual(60);
  expect(samples.get('store_queue_workers')).toBe(1);
});

test('what waits to be published and delivered is counted, with its age', async () => {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  await testDb()('event_notes').delete();
  await testDb()('event_notes').insert({
    kind: 'customer',
    subject_id: 1,
    types: '["customer.updated"]',
    created_at: ago(60),
  });
  const insert = async (values: object) => {
    const webhook = { url: 'http://127.0.0.1:9/', events: ['*'], secret: Buffer.alloc(1), ...values };
    const [{ id }] = await testDb()('webhooks').insert(webhook).returning('id');
    return (attempts: number, minutes: number, status = 'pending') =>
      testDb()('webhook_deliveries').insert({
        webhook_id: id,
        event_type: 'x',
        subject: 'x',
        status,
        attempts,
        created_at: ago(minutes),
      });
  };
  const deliver = await insert({});
  await deliver(0, 20);
  await deliver(1, 10);
  await deliver(3, 30);
  await deliver(1, 500, 'delivered');
  await (
    await insert({ active: false, paused_reason: '410' })
  )(2, 900);
  await insert({ active: false });
  const samples = await read();
  const states = ['waiting', 'retrying', 'paused'].map((state) => [
    state,
    samples.get(`store_webhook_deliveries_pending{state="${state}"}`),
  ]);
  expect(states).toEqual([
    ['waiting', 2],
    ['retrying', 1],
    ['paused', 1],
  ]);
  expect(samples.get('store_events_unpublished')).toBe(1);
  expect(samples.get('store_events_oldest_unpublished_seconds')).toBeGreaterThanOrEqual(3_600);
  expect(Math.floor((samples.get('store_webhook_oldest_pending_seconds') ?? 0) / 60)).toBeGreaterThanOrEqual(
    30,
  );
  expect(samples.get('store_webhook_oldest_pending_seconds')).toBeLessThan(500 * 60);
  expect(samples.get('store_webhooks_paused')).toBe(1);
});

describe('figures of the database', () => {
  test('are orders and payments by state, operations at gateways, and the server', async () => {
    await orderInState('cart');
    await orderInState('complete');
    const samples = await read();
    const states: any[] = await testDb()('orders').select('state').count({ count: '*' }).groupBy('state');
    for (const { state, count } of states)
      expect([state, samples.get(`store_orders_total{state="${state}"}`)]).toEqual([state, Number(count)]);
    expect(samples.get('store_orders_total{state="canceled"}')).toBe(0);
    const [sum] = await testDb()('payments')
      .where({ state: 'pending' })
      .sum({ amount: 'amount' })
      .count({ count: '*' });
    expect(samples.get('store_payments_total{state="pending"}')).toBe(Number(sum?.count));
    expect(samples.get('store_payments_amount{state="pending",currency="USD"}')).toBe(Number(sum?.amount));
    expect(samples.get('store_payment_operations_running')).toBe(0);
    expect(samples.get('store_db_up')).toBe(1);
    expect(samples.get('store_ready')).toBe(1);
    expect(samples.get('store_db_server_max_connections')).toBeGreaterThan(
      samples.get('store_db_server_connections')!,
    ); // both are there
    expect(samples.get('store_replica_up')).toBe(1);
    expect(samples.get('store_replica_lag_seconds')).toBe(0);
  });

  test('are missing without the database, but the rest is there', async () => {
    const away = connectDatabase({ url: 'postgres://a:b@127.0.0.1:1/c', poolSize: 2, log });
    const samples = await read(appWith(null, {}, away));
    await closeDatabase(away);
    expect(samples.get('store_db_up')).toBe(0);
    expect(samples.get('store_ready')).toBe(0);
    expect([...samples.keys()].filter((name) => name.startsWith('store_orders'))).toEqual([]);
    expect(samples.has('store_db_pool_size{pool="primary"}')).toBe(true);
  });

  test('say that a store without space for files is not ready, though its database answers', async () => {
    const storage = { ...testStorage(), hasSpace: () => Promise.resolve(false) };
    const metrics = createStoreMetrics({
      db: testDb(),
      replica: null,
      log,
      token: null,
      collect: collectOwn,
    });
    const samples = await read(makeTestApp({ storage }, { metrics }));
    expect([samples.get('store_db_up'), samples.get('store_ready')]).toEqual([1, 0]);
  });

  test('are read again after five seconds, or after fifty times the time that reading takes', async () => {
    let now = 0;
    let reads = 0;
    let duration = 10;
    const source = keepFigures(
      () => {
        reads += 1;
        now += duration;
        return Promise.resolve([]);
      },
      () => now,
    );
    const readsAfter = async (wait: number) => {
      now += wait;
      await Promise.all([source(), source()]);
      return reads;
    };
    expect([await readsAfter(0), await readsAfter(4_999)]).toEqual([1, 1]);
    duration = 1_000;
    expect([await readsAfter(1), await readsAfter(49_999), await readsAfter(1)]).toEqual([2, 2, 3]);
  });
});
