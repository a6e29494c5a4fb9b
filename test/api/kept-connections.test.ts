import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { anAdmin } from '../support/accounts.factory';
import { testApp } from '../support/api';

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

/** Sends a request on the agent's connection. @returns the status and the local port of the connection */
function send(agent: http.Agent, { method, path, headers = {}, body }: Sent): Promise<[number, number]> {
  return new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo; // listens on TCP
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
  }, 15_000);
});
