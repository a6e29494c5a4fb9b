import { randomBytes } from 'node:crypto';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Request } from 'express';
import { createStaffCheck } from '../../../src/access/staff-check';
import { authenticate } from '../../../src/accounts/authenticate';
import { aClerk, aCustomer, anAdmin } from '../../support/accounts.factory';
import { testApp } from '../../support/api';
import { testDb } from '../../support/database';

let server: Server;
/** Of a member of staff, who may send large bodies. */
let staff: Record<string, string>;
beforeAll(async () => {
  staff = { 'X-Store-Token': (await anAdmin()).token };
  server = createServer(testApp().app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

interface Sent {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body: Buffer | string;
}

interface Received {
  status: number;
  type: string;
  hint: string | undefined;
  body: any;
}

/** Sends any body with any method, which fetch does not. */
function send({ method = 'POST', path, headers, body }: Sent): Promise<Received> {
  const { port } = server.address() as AddressInfo; // listens on TCP
  const length = headers?.['Transfer-Encoding'] === undefined && {
    'Content-Length': Buffer.byteLength(body),
  };
  const all = { 'Content-Type': 'application/json', ...length, ...headers };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { port, host: '127.0.0.1', method, path: `/api/v1${path}`, headers: all },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            hint: response.headers['x-error-hint']?.toString(),
            body: text.startsWith('{') ? JSON.parse(text) : text,
          }),
        );
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}

const TOO_LARGE = { error: 'The request is too large.' };
const TOO_DEEP = { error: 'The request parameters are nested too deeply.' };
const keys = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])));

describe('the number of keys', () => {
  test.each([
    ['in one record', keys(5_001)],
    ['in nested records', JSON.stringify({ a: JSON.parse(keys(2_500)), b: JSON.parse(keys(2_500)) })],
    ['in a list', JSON.stringify({ a: Array(5_001).fill(1) })],
    ['in a list of lists', JSON.stringify(Array(30_000).fill([1]))],
  ])('is limited: %s', async (_where, body) => {
    expect(await send({ path: '/orders', body })).toMatchObject({ status: 413, body: TOO_LARGE });
  });

  test('may be 5,000', async () => {
    expect((await send({ path: '/orders', body: keys(5_000) })).status).toBe(201);
  });

  test('may be larger for 1,000 rows of prices, and is limited there too', async () => {
    const headers = { 'X-Store-Token': (await anAdmin()).token };
    const rows = (count: number) =>
      JSON.stringify({
        rows: Array.from({ length: count }, (_, index) => ({
          variant_id: 2_000_000 + index,
          sku: '',
          price: '1',
          cost_price: '1',
          currency: 'USD',
          note: 1,
        })),
      });
    const accepted = await send({ path: '/bulk/prices', headers, body: rows(1_000) });
    expect(accepted).toMatchObject({ status: 422, body: { failed: 1_000 } });
    const refused = await send({ path: '/bulk/prices', headers, body: rows(2_000) });
    expect(refused).toMatchObject({ status: 413, body: TOO_LARGE });
  });
});

describe('the number of parameters of forms and queries', () => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const orderOf = (entries: number) =>
    [...Array.from({ length: entries }, (_, at) => `a[${at}]=1`), 'order[special_instructions]=last'].join(
      '&',
    );

  const multipartOf = (entries: number) => ({
    path: '/orders',
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    body: `--x\r\n${[...new URLSearchParams(orderOf(entries))]
      .map(([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`)
      .join('\r\n--x\r\n')}\r\n--x--\r\n`,
  });

  test('is limited', async () => {
    const forms = { path: '/orders', headers: form, body: orderOf(1_000) };
    const queries = { path: `/orders?${orderOf(1_000)}`, body: '' };
    for (const sent of [forms, queries, { ...queries, method: 'GET' }, multipartOf(1_000)])
      expect(await send(sent)).toMatchObject({
        status: 413,
        body: TOO_LARGE,
        hint: expect.stringContaining('1000 parameters'),
      });
  });

  test('may be 1,000, of which the last one counts too', async () => {
    const body = { special_instructions: 'last' };
    const forms = { path: '/orders', headers: form, body: orderOf(999) };
    for (const sent of [forms, { path: `/orders?${orderOf(999)}`, body: '' }, multipartOf(999)])
      expect(await send(sent)).toMatchObject({ status: 201, body });
  });
});

describe('the depth', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const key = { 'Idempotency-Key': 'a-key-of-some-length' };
  test.each([
    ['a list', deep(5_000), {}],
    ['a list, with an Idempotency-Key', deep(5_000), key],
    ['a list of the largest size', deep(500_000), {}],
    ['records', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, key],
    ['33 levels', deep(33), key],
  ])('is limited: %s', async (_what, body, headers) => {
    const all = { ...staff, ...headers };
    expect(await send({ path: '/orders', headers: all, body })).toMatchObject({
      status: 400,
      body: TOO_DEEP,
    });
  });

  test.each([10_000, 1_000_000])('of a text that is not JSON does not matter: %i levels', async (levels) => {
    const reply = await send({ path: '/orders', headers: staff, body: '['.repeat(levels) });
    expect(reply).toMatchObject({
      status: 400,
      type: 'application/json; charset=utf-8',
      body: { error: 'The request body could not be parsed.' },
      hint: undefined,
    });
  });

  test('of few levels keeps the hint about the error', async () => {
    const { hint } = await send({ path: '/orders', body: '['.repeat(100) });
    expect(hint).toContain('line 1, column 101');
  });
});

describe('the size of the body of a GET', () => {
  const search = (padding: number) => JSON.stringify({ q: { name_cont: 'x' }, padding: 'x'.repeat(padding) });
  test.each(['GET', 'HEAD'])('%s: is limited to 16 KiB', async (method) => {
    expect(await send({ method, path: '/products', body: search(100) })).toMatchObject({ status: 200 });
    expect(await send({ method, path: '/products', body: search(17_000) })).toMatchObject({ status: 413 });
  });
  test('is limited after decompression, and for forms', async () => {
    const gzipped = { 'Content-Encoding': 'gzip' };
    const body = gzipSync(search(17_000));
    expect(await send({ method: 'GET', path: '/products', headers: gzipped, body })).toMatchObject({
      status: 413,
    });
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(
      await send({ method: 'GET', path: '/products', headers: form, body: `a=${'x'.repeat(17_000)}` }),
    ).toMatchObject({ status: 413 });
  });
});

describe('large bodies of shoppers', () => {
  const order = (bytes: number) => JSON.stringify({ padding: 'x'.repeat(bytes) });

  test('may have up to 1 MiB, also compressed, in chunks and as forms', async () => {
    const customer = { 'X-Store-Token': (await aCustomer()).token };
    const noise = randomBytes(400_000).toString('hex');
    const form = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const part = `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'x'.repeat(900_000)}\r\n--b--\r\n`;
    const sent: [Record<string, string>, Buffer | string][] = [
      [{}, order(900_000)],
      [customer, order(900_000)],
      [{ 'Content-Encoding': 'gzip' }, gzipSync(JSON.stringify({ noise }))],
      [{ 'Transfer-Encoding': 'chunked' }, order(900_000)],
      [form, part],
    ];
    for (const [headers, body] of sent) {
      expect(await send({ path: '/orders', headers, body })).toMatchObject({ status: 201 });
    }
    expect(await send({ path: '/orders', body: order(1_100_000) })).toMatchObject({ status: 413 });
    const invalid = { 'X-Store-Token': 'unknown' };
    expect(await send({ path: '/orders', headers: invalid, body: order(900_000) })).toMatchObject({
      status: 401,
    });
  });
});

describe('the inflation of a compressed body', () => {
  const order = JSON.stringify({ order: { email: 'a@example.com' }, padding: 'x'.repeat(900_000) });
  test.each([
    ['gzip', gzipSync(order)],
    ['br', brotliCompressSync(order)],
  ])('%s: is limited to a hundred times', async (encoding, body) => {
    const headers = { ...staff, 'Content-Encoding': encoding };
    expect(await send({ path: '/orders', headers, body })).toMatchObject({ status: 413, body: TOO_LARGE });
  });

  test('may be that of a list of similar rows', async () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => ({ sku: `TEE-${index}`, price: '19.99' }));
    const headers = { ...staff, 'Content-Encoding': 'gzip' };
    const body = gzipSync(JSON.stringify({ rows }));
    expect(await send({ path: '/bulk/prices', headers, body })).toMatchObject({ status: 422 });
  });

  test.each([
    ['after the limit', () => gzipSync(randomBytes(1_600_000).toString('base64'))],
    [
      'that is damaged after the limit',
      () => {
        const bytes = gzipSync(randomBytes(1_600_000).toString('base64'));
        return bytes.fill(0, bytes.length - 400_000);
      },
    ],
    ['that is damaged', () => gzipSync(randomBytes(100_000)).fill(0, 60_000)],
  ])('a refused body does not stop the program: one that continues %s', async (_what, build) => {
    const headers = { ...staff, 'Content-Encoding': 'gzip' };
    for (let count = 0; count < 3; count += 1) {
      expect([400, 413]).toContain((await send({ path: '/orders', headers, body: build() })).status);
    }
  });

  test('an unfinished body is refused when it has become too large', async () => {
    const { port } = server.address() as AddressInfo; // listens on TCP
    const headers = {
      ...staff,
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
      'Content-Length': '100000',
    };
    const status = await new Promise((resolve, reject) => {
      const sent = httpRequest(
        { port, host: '127.0.0.1', method: 'POST', path: '/api/v1/orders', headers },
        (response) => {
          resolve(response.statusCode);
          sent.destroy();
        },
      );
      sent.on('error', reject);
      sent.write(gzipSync(order).subarray(0, -8));
    });
    expect(status).toBe(413);
  });
});

test('only members of staff send large bodies without a turn', async () => {
  const isStaff = createStaffCheck({ db: testDb() }, authenticate);
  // It reads only the header and the URL.
  const sent = (token: string | undefined, originalUrl = '/') =>
    isStaff({ originalUrl, header: () => token } as unknown as Request);
  const [clerk, customer] = [await aClerk(['orders:read']), await aCustomer()];
  expect([await sent(clerk.token), await sent(undefined, `/?token=${clerk.token}`)]).toEqual([true, true]);
  expect([await sent(customer.token), await sent('unknown'), await sent(undefined)]).toEqual([
    false,
    false,
    false,
  ]);
});
