import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { buildApp } from '../../src/app';
import { authenticate } from '../../src/accounts/authenticate';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/database/embedded';
import {
  findRecordedPostmaster,
  listProcesses,
  sendSignal,
} from '../../src/platform/database/embedded/processes';
import { closeDatabase, connectDatabase } from '../../src/platform/database/knex';
import { isDatabaseUnavailable } from '../../src/platform/database/outage';
import { migrate } from '../../src/boot/migrate';
import { listen, type HttpServer } from '../../src/platform/http/http-server';
import { createVariantStock } from '../../src/inventory/variant-stock';
import { fillBackorders } from '../../src/sales/fulfilment/fill-backorders';
import { createRateLimits } from '../../src/platform/rate-limits';
import { builtInGateways } from '../../src/sales/payment-processing/gateways/registry';
import { createOrderTurns } from '../../src/sales/order/order-turns';
import { testStorage } from '../support/storage';
import { testMailer } from '../support/mail';

const log = pino({ level: 'silent' });
let folder: string;
let postgres: EmbeddedPostgres;
let db: Knex;
let server: HttpServer;

const cluster = () => path.join(folder, 'postgres');

/** Freezes every process of this test's database while `work` runs. */
async function whileFrozen<T>(work: () => Promise<T>): Promise<T> {
  const frozen = listProcesses(cluster());
  for (const pid of frozen) sendSignal(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    for (const pid of frozen) sendSignal(pid, 'SIGCONT');
  }
}

async function get(path: string): Promise<{ status: number; ms: number; retryAfter: string | null }> {
  const started = performance.now();
  const reply = await fetch(server.url + path);
  await reply.arrayBuffer();
  return {
    status: reply.status,
    ms: performance.now() - started,
    retryAfter: reply.headers.get('retry-after'),
  };
}

/** Sends requests until the store recovers. The timeout of the test is the limit. */
async function recovered(): Promise<void> {
  for (;;) if ((await get('/health/ready')).status === 200) return;
}

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'store-outage-')));
  // Not the fast test setup: committed data must survive the kill below.
  postgres = await startEmbeddedPostgres({ dataDir: folder, log });
  const maintenance = connectDatabase({ url: postgres.url, poolSize: 2, log, timeouts: 'maintenance' });
  await migrate(maintenance);
  await closeDatabase(maintenance);
  db = connectDatabase({ url: postgres.url, poolSize: 4, log });
  const app = buildApp({
    deps: {
      db,
      log,
      now: () => new Date(),
      storage: testStorage(),
      variantStock: createVariantStock,
      onBackordersFilled: fillBackorders,
      gateways: builtInGateways,
      orderTurns: createOrderTurns(),
      mailer: testMailer(),
      limits: createRateLimits(db, 100),
      secret: Buffer.alloc(32),
    },
    authenticate,
    corsOrigins: ['*'],
  });
  server = await listen({ handler: app, host: '127.0.0.1', port: 0 });
});

beforeEach(async () => {
  // Opens connections first, because pooled connections are the ones that break.
  await Promise.all([1, 2, 3, 4].map(() => get('/api/v1/countries')));
});

afterAll(async () => {
  await server.stop();
  await closeDatabase(db);
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

test('a frozen database: 503 within three seconds, not ready, alive; recovers when it continues', async () => {
  const { replies, live, ready } = await whileFrozen(async () => {
    const first = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => get('/api/v1/countries')));
    const [live, ready] = await Promise.all([get('/health/live'), get('/health/ready')]);
    return { replies: [...first, await get('/api/v1/countries')], live, ready };
  });

  for (const reply of replies) expect(reply).toMatchObject({ status: 503, retryAfter: '1' });
  for (const reply of [...replies, ready]) expect(reply.ms).toBeLessThan(3_000);
  expect(ready.status).toBe(503);
  expect(live.status).toBe(200);
  expect(live.ms).toBeLessThan(1_000);
  await recovered();
  expect((await get('/api/v1/countries')).status).toBe(200);
});

test('a database frozen in a transaction: the rollback does not wait again', async () => {
  let started = 0;
  const failure: unknown = await db
    .transaction(async (tx) => {
      await tx.raw('SELECT 1');
      started = performance.now();
      await whileFrozen(async () => tx.raw('SELECT 2'));
    })
    .catch((error: unknown) => error);

  expect(performance.now() - started).toBeLessThan(3_000);
  expect(isDatabaseUnavailable(failure)).toBe(true);
  await recovered();
});

test('all connections closed: each request returns 200 or 503, and later ones 200', async () => {
  const postmaster = findRecordedPostmaster(cluster());
  const backends = listProcesses(cluster()).filter((pid) => pid !== postmaster);
  const admin = connectDatabase({ url: postgres.url, poolSize: 1, log });
  await admin.raw(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()`);
  await closeDatabase(admin);

  const replies = await Promise.all(backends.map(() => get('/api/v1/countries')));
  for (const reply of replies) expect([200, 503]).toContain(reply.status);
  await recovered();
  expect((await get('/api/v1/countries')).status).toBe(200);
});

test('the database server killed: 503 at once, and 200 again without a restart', async () => {
  const victim = findRecordedPostmaster(cluster()) ?? 0;
  process.kill(victim, 'SIGKILL');

  // A backend may still respond before it notices.
  const replies = await Promise.all([1, 2, 3, 4].map(() => get('/api/v1/countries')));
  for (const reply of replies) {
    expect([200, 503]).toContain(reply.status);
    expect(reply.ms).toBeLessThan(3_000);
  }
  while (listProcesses(cluster()).includes(victim) || findRecordedPostmaster(cluster()) === victim)
    await get('/health/live');
  await recovered();
  expect((await get('/api/v1/countries')).status).toBe(200);
});

test('a statement that takes too long is canceled and reported like an outage', async () => {
  await expect(db.raw('SELECT pg_sleep(20)')).rejects.toMatchObject({ code: '57014' });
  expect((await get('/api/v1/countries')).status).toBe(200);
});
