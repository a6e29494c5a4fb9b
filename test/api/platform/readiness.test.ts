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
