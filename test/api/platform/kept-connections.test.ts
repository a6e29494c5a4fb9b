import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { InsufficientStorage } from '../../../src/platform/errors';
import { createRateLimits } from '../../../src/platform/rate-limits';
import { anAdmin } from '../../support/accounts.factory';
import { makeTestApp, testApp, type TestApp } from '../../support/api';
import { testDb } from '../../support/database';
import { aProduct } from '../../support/products.factory';
import { testStorage } from '../../support/storage';

let server: http.Server;
beforeAll(async () => {
  server = http.createServer(testApp().app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
});

interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

const BOUNDARY = 'limit';
const multipart = (bytes: number): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="image[attachment]"; filename="a.png"\r\n` +
        'Content-Type: image/png\r\n\r\n',
    ),
    Buffer.alloc(bytes, 1),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);

/** Runs work with another application behind a server of its own, whose port the work gets. */
async function withServer<T>({ app }: TestApp, work: (port: number) => Promise<T>): Promise<T> {
  const own = http.createServer(app);
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
  try {
    return await work((own.address() as AddressInfo).port); // listens on TCP
  } finally {
    own.closeAllConnections();
    await new Promise((resolve) => own.close(resolve));
  }
}

/** Builds the body of a valid upload of about one megabyte. */
async function aLargePicture(): Promise<Buffer> {
  const noise = randomBytes(600 * 600 * 3);
  const png = await sharp(noise, { raw: { width: 600, height: 600, channels: 3 } })
    .png()
    .toBuffer();
  const [head = '', tail = ''] = multipart(0).toString('latin1').split('\r\n\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), png, Buffer.from(tail, 'latin1')]);
}

/** Sends a request on the agent's connection. @returns the status and the local port of the connection */
function send(
  agent: http.Agent,
  { method, path, headers = {}, body }: Sent,
  // The server listens on TCP.
  port = (server.address() as AddressInfo).port,
): Promise<[number, number]> {
  return new Promise((resolve, reject) => {
    const request = http.request({ agent, port, host: '127.0.0.1', method, path, headers }, (response) => {
      const { localPort = 0 } = response.socket;
      response.resume().once('end', () => resolve([response.statusCode ?? 0, localPort]));
    });
    request.setTimeout(8_000, () => request.destroy(new Error('no reply within 8 seconds')));
    request.once('error', reject);
    request.end(body);
  });
}

const form = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };
const json = { 'Content-Type': 'application/json' };
const images = '/api/v1/products/2147483647/images';

describe('after a refusal, the next request on the connection is answered', () => {
  test.each<[string, Sent & { asAdmin?: true }]>([
    ['an unknown path', { method: 'POST', path: '/api/v1/nothing', headers: form }],
    ['an unknown path outside the API', { method: 'POST', path: '/nothing', headers: form }],
    ['a wrong method', { method: 'POST', path: '/api/v1/products/1', headers: form }],
    ['a caller without permission', { method: 'POST', path: images, headers: form }],
    ['an invalid token', { method: 'POST', path: images, headers: { ...form, 'X-Store-Token': 'no' } }],
    ['a missing subject', { method: 'POST', path: images, headers: form, asAdmin: true }],
    ['an endpoint without uploads', { method: 'POST', path: '/api/v1/orders', headers: form }],
    ['too large a JSON body', { method: 'POST', path: '/api/v1/orders', headers: json }],
    ['a JSON body of an unknown path', { method: 'POST', path: '/nothing', headers: json }],
    [
      'a body of another type',
      { method: 'POST', path: '/api/v1/nothing', headers: { 'Content-Type': 'a/b' } },
    ],
    ['a health check with a body', { method: 'POST', path: '/health/live', headers: form }],
  ])('%s', async (_what, { asAdmin, ...sent }) => {
    const headers = {
      ...sent.headers,
      ...(asAdmin === true && { 'X-Store-Token': (await anAdmin()).token }),
    };
    for (const bytes of [200_000, 1_500_000, 4_000_000]) {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      const [refused] = await send(agent, { ...sent, headers, body: multipart(bytes) });
      expect([400, 401, 404, 413, 422]).toContain(refused);
      const [next] = await send(agent, { method: 'GET', path: '/api/v1/countries?per_page=1' });
      expect(next).toBe(200);
      agent.destroy();
    }
  });

  const overloaded = () => makeTestApp({}, { maxInFlight: 0 });
  const exhausted = () => makeTestApp({ limits: createRateLimits(testDb(), 0.001) });
  const withoutSpace = () => {
    const put = () => Promise.reject(new InsufficientStorage(new Error('full')));
    return makeTestApp({ storage: { ...testStorage(), put } });
  };
  const signUp = Buffer.from(
    JSON.stringify({ user: { email: 'a@example.com', password: 'secret12' }, filler: 'x'.repeat(700_000) }),
  );
  test.each<[number, string, () => TestApp, Omit<Sent, 'body'>, () => Promise<Buffer> | Buffer]>([
    [503, 'JSON', overloaded, { method: 'POST', path: '/api/v1/users', headers: json }, () => signUp],
    [
      503,
      'an upload',
      overloaded,
      { method: 'POST', path: images, headers: form },
      () => multipart(4_000_000),
    ],
    [429, 'JSON', exhausted, { method: 'POST', path: '/api/v1/users', headers: json }, () => signUp],
    [507, 'an upload', withoutSpace, { method: 'POST', path: 'of a product', headers: form }, aLargePicture],
  ])('%i to %s', async (status, _what, makeApp, sent, makeBody) => {
    const { token } = await anAdmin();
    const path =
      sent.path === 'of a product' ? `/api/v1/products/${(await aProduct()).id}/images` : sent.path;
    const headers = { ...sent.headers, ...(status !== 429 && { 'X-Store-Token': token }) };
    const body = await makeBody();
    await withServer(makeApp(), async (port) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      if (status === 429) await send(agent, { ...sent, headers, body }, port);
      expect((await send(agent, { ...sent, path, headers, body }, port))[0]).toBe(status);
      const [next] = await send(agent, { method: 'GET', path: '/health/live' }, port);
      expect(next).toBe(200);
      agent.destroy();
    });
  });

  test('also if the upload is larger than the limit', async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { ...form, 'X-Store-Token': (await anAdmin()).token };
    const [refused] = await send(agent, {
      method: 'POST',
      path: images,
      headers,
      body: multipart(15_000_000),
    });
    expect(refused).toBe(413);
    expect((await send(agent, { method: 'GET', path: '/api/v1/countries?per_page=1' }))[0]).toBe(200);
    agent.destroy();
  });

  test('a connection whose body never ends is closed', async () => {
    const { port } = server.address() as AddressInfo; // listens on TCP
    const closed = await new Promise<boolean>((resolve, reject) => {
      const headers = { ...form, 'Content-Length': '50000000' };
      const request = http.request({ port, host: '127.0.0.1', method: 'POST', path: '/nothing', headers });
      request.once('response', (response) => response.resume());
      request.once('socket', (socket) => socket.once('close', () => resolve(true)));
      request.on('error', () => undefined);
      setTimeout(() => reject(new Error('still open after 8 seconds')), 8_000).unref();
      request.write(multipart(100_000));
    });
    expect(closed).toBe(true);
  });
});
