import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import express, { type Request as ServerRequest, type Response as ServerResponse } from 'express';
import { pino } from 'pino';
import { createErrorHandler } from '../../../src/errors/error-handler';
import { listen, type HttpServer } from '../../../src/platform/http/http-server';
import { requestsInProgress } from '../../../src/platform/metrics/metrics';
import { healthRouter } from '../../../src/platform/http/health.router';
import { createLoadShedder, type LoadShedder } from '../../../src/platform/http/load-shedding';

/** Requests that wait in the handler until the test releases them. */
let held: (() => void)[];
let arrived: () => void;
let application: express.Express;
let server: HttpServer;
let shedder: LoadShedder;
let time: number;

beforeEach(async () => {
  held = [];
  arrived = () => undefined;
  const app = express();
  app.use(healthRouter(() => Promise.resolve(null)));
  time = 0;
  shedder = createLoadShedder(2, { now: () => time });
  app.get('/large', (_request, response) => response.end(Buffer.alloc(8_000_000)));
  app.use(express.json(), shedder.middleware);
  app.get('/small', (_request, response) => response.end('done'));
  app.all('/hold-read', (_request, response) => {
    held.push(() => response.json({ done: true }));
    arrived();
  });
  app.post('/hold', (_request, response) => {
    held.push(() => response.json({ done: true }));
    arrived();
  });
  app.post('/broken', (_request, response) => response.destroy());
  app.use(createErrorHandler(pino({ level: 'silent' })));
  application = app;
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

test('the metrics count requests in progress', async () => {
  const inProgress = async () => (await requestsInProgress.get()).values[0]?.value ?? 0;
  const before = await inProgress();
  const replies = await hold(2);
  expect((await inProgress()) - before).toBe(2);
  held.forEach((release) => release());
  await Promise.all(replies);
  expect((await inProgress()) - before).toBe(0);
});

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

/** Sends bytes over a connection of their own, whose replies nobody reads. */
async function sendUnread(url: string, bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

const getLine = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

describe('pipelined requests', () => {
  /** Express behind a plain server of Node.js, which runs pipelined requests at once. */
  const withPlainServer = async (work: (url: string) => Promise<void>) => {
    const plain = createServer(application);
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const { port } = plain.address() as AddressInfo; // listens on TCP
    try {
      await work(`http://127.0.0.1:${port}`);
    } finally {
      plain.closeAllConnections();
      await new Promise((resolve) => plain.close(resolve));
    }
  };

  test('stop counting when their replies are complete, although the client does not read what is before them', async () => {
    await withPlainServer(async (url) => {
      const socket = await sendUnread(url, getLine('/large') + getLine('/small').repeat(5));
      const statuses = [];
      for (let count = 0; count < 20; count += 1) statuses.push((await fetch(`${url}/small`)).status);
      expect(new Set(statuses)).toEqual(new Set([200]));
      socket.destroy();
    });
  });

  test('stop counting when the connection is reset while they wait for their turn', async () => {
    await withPlainServer(async (url) => {
      const all = new Promise<void>((resolve) => {
        arrived = () => held.length === 2 && resolve();
      });
      const socket = await sendUnread(url, getLine('/large') + getLine('/hold-read').repeat(2));
      await all;
      expect((await fetch(`${url}/small`)).status).toBe(503);
      socket.resetAndDestroy();
      while ((await fetch(`${url}/small`)).status !== 200) await fetch(`${url}/health/live`);
    });
  });

  test('run one after another and are answered in order', async () => {
    const seen: string[] = [];
    const own = await listen({
      handler: (request, response) => {
        const before = [...seen];
        seen.push(request.url ?? '');
        setImmediate(() => response.end(`${request.url} after ${before.join()};`));
      },
      host: '127.0.0.1',
      port: 0,
    });
    const { hostname, port } = new URL(own.url);
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.write(getLine('/1') + getLine('/2') + getLine('/3', 'Connection: close\r\n'));
    await once(socket, 'close');
    expect(text.match(/\/\d after [^;]*;/g)).toEqual(['/1 after ;', '/2 after /1;', '/3 after /1,/2;']);
    await own.stop();
  });

  test('close the connection if too many of them wait', async () => {
    const socket = await sendUnread(server.url, getLine('/large') + getLine('/small').repeat(200));
    await once(socket.resume(), 'close');
    expect((await fetch(`${server.url}/small`)).status).toBe(200);
  });
});

test('a body that is not read counts', async () => {
  const all = new Promise<void>((resolve) => {
    arrived = () => held.length === 2 && resolve();
  });
  const unread = getLine('/hold-read', 'Content-Type: text/plain\r\nContent-Length: 50\r\n');
  const sockets = [await sendUnread(server.url, unread), await sendUnread(server.url, unread)];
  await all;
  expect((await fetch(`${server.url}/small`)).status).toBe(503);
  for (const letGo of held) letGo();
  for (const socket of sockets) socket.destroy();
});

test('is stuck when the limit has been reached for ten seconds without a break', async () => {
  const replies = await hold(2);
  time = 9_999;
  expect(shedder.isStuck()).toBe(false);
  time = 10_000;
  expect(shedder.isStuck()).toBe(true);
  held.shift()?.();
  await replies[0];
  expect(shedder.isStuck()).toBe(false);
  for (const letGo of held) letGo();
  await Promise.all(replies);
});

test('one caller leaves places to others, and is stuck without the rest', () => {
  time = 0;
  const { middleware, isStuck } = createLoadShedder(10, {
    now: () => time,
    callerOf: (request) => request.socket.remoteAddress ?? '',
  });
  /** Returns whether a request of the caller is accepted; it stays in progress. */
  const accepts = (remoteAddress: string): boolean => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress });
    const request = { socket, headers: {}, header: () => undefined, is: () => false, complete: true };
    let refusal: unknown = null;
    middleware(
      request as unknown as ServerRequest, // what the middleware reads of it
      Object.assign(new EventEmitter(), { end: () => undefined }) as unknown as ServerResponse, // as above
      (error?: unknown) => (refusal = error ?? null),
    );
    return refusal === null;
  };
  const accepted = (caller: string, times: number) =>
    Array.from({ length: times }, () => accepts(caller)).filter(Boolean).length;

  expect(accepted('greedy', 20)).toBe(8);
  time = 10_000;
  expect(isStuck()).toBe(true);
  expect(accepted('calm', 1)).toBe(1);
  expect(isStuck()).toBe(false);
  expect(accepted('greedy', 5)).toBe(0);
  expect(accepted('another', 20)).toBe(1);
});
