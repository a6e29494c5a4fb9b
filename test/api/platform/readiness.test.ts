import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { createRateLimits } from '../../../src/platform/rate-limits';
import { makeTestApp } from '../../support/api';
import { testDb } from '../../support/database';

let release: () => void = () => undefined;

afterEach(() => release());

/** A store with one request slot, in which requests of guests wait until the test releases them. */
function aStoreWithOneSlot(now: () => Date) {
  let arrive: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const limits = createRateLimits(testDb(), 0);
  const spend = async () => {
    arrive();
    await released;
    return () => Promise.resolve();
  };
  const { app } = makeTestApp({ now, limits: { ...limits, spend } }, { maxInFlight: 1 });
  const order = () => request(app).post('/api/v1/orders').send({});
  return { app, order, arrived };
}

test('the store is not ready while every request slot has been taken for ten seconds', async () => {
  const start = Date.now();
  let passed = 0;
  const { app, order, arrived } = aStoreWithOneSlot(() => new Date(start + passed));
  const readiness = async () => (await request(app).get('/health/ready')).status;
  const held = order().then(({ status }) => status);
  await arrived;
  expect((await order()).status).toBe(503);
  expect(await readiness()).toBe(200);
  passed = 9_000;
  expect(await readiness()).toBe(200);
  passed = 10_000;
  expect(await readiness()).toBe(503);
  release();
  expect(await held).toBe(201);
  expect(await readiness()).toBe(200);
});

test('a flood of requests for the readiness takes one connection of the database', async () => {
  const { app } = makeTestApp({});
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listens on TCP
  let [running, most] = [0, 0];
  const change = (by: 1 | -1) => () => (most = Math.max(most, (running += by)));
  const [begin, end] = [change(1), change(-1)];
  testDb().on('query', begin).on('query-response', end).on('query-error', end);
  try {
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => fetch(`http://127.0.0.1:${port}/health/ready`)),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  } finally {
    testDb().off('query', begin).off('query-response', end).off('query-error', end);
    server.closeAllConnections();
    server.close();
  }
  expect(most).toBe(1);
});
