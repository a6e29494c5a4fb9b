import { once } from 'node:events';
import { connect } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { createErrorHandler } from '../../../src/errors/error-handler';
import { listen, type HttpServer } from '../../../src/platform/http/http-server';
import { healthRouter } from '../../../src/platform/http/health.router';
import { shedLoad } from '../../../src/platform/http/load-shedding';

/** Requests that wait in the handler until the test releases them. */
let held: (() => void)[];
let arrived: () => void;
let server: HttpServer;

beforeEach(async () => {
  held = [];
  arrived = () => undefined;
  const app = express();
  app.use(healthRouter(() => Promise.resolve(null)));
  app.use(express.json(), shedLoad(2));
  app.post('/hold', (_request, response) => {
    held.push(() => response.json({ done: true }));
    arrived();
  });
  app.post('/broken', (_request, response) => response.destroy());
  app.use(createErrorHandler(pino({ level: 'silent' })));
  server = await listen({ handler: app, host: '127.0.0.1', port: 0 });
});

afterEach(() => server.stop());

const post = (path: string) =>
  fetch(server.url + path, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } });

/** Sends requests and waits until all of them are in the handler. */
async function hold(count: number): Promise<Promise<Response>[]> {
  const all = new Promise<void>((resolve) => {
    arrived = () => held.length === count && resolve();
  });
  const replies = Array.from({ length: count }, () => post('/hold'));
  await all;
  return replies;
}

test('replies 503 in JSON with Retry-After beyond the limit; requests in progress continue', async () => {
  const replies = await hold(2);

  const shed = await post('/hold');
  expect(shed.status).toBe(503);
  expect(shed.headers.get('retry-after')).toBe('1');
  expect(shed.headers.get('x-error-code')).toBe('overloaded');
  expect(await shed.json()).toEqual({ error: 'The service is busy. Please try again.' });

  for (const letGo of held) letGo();
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200]);
});

test('does not affect health checks', async () => {
  const replies = await hold(2);

  expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
  expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
  for (const letGo of held) letGo();
  await Promise.all(replies);
});

test('requests stop counting when they end, also by broken connections', async () => {
  for (let round = 0; round < 3; round += 1) {
    await expect(post('/broken')).rejects.toThrow();
    const replies = await hold(2);
    for (const letGo of held.splice(0)) letGo();
    for (const reply of await Promise.all(replies)) expect(reply.status).toBe(200);
  }
});

test('clients that are still sending their body do not count', async () => {
  const { hostname, port } = new URL(server.url);
  const slow = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const socket = connect(Number(port), hostname);
      socket.write(
        'POST /hold HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
      );
      await once(socket, 'connect');
      return socket;
    }),
  );
  await fetch(`${server.url}/health/live`);

  const replies = await hold(2);
  for (const letGo of held) letGo();
  for (const reply of await Promise.all(replies)) expect(reply.status).toBe(200);
  for (const socket of slow) socket.destroy();
});
