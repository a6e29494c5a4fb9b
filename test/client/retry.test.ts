import type { IncomingMessage, ServerResponse } from 'node:http';
import { createStoreClient, StoreError, unwrap, type StoreClientOptions } from 'store-api-client';
import { listen, type Listening } from '../support/listen';

/** A server in place of the store that returns errors or closes the connection. */
type Answer = 'hang up' | { status: number; headers?: Record<string, string>; body?: string };

let proxy: Listening;
/** The answers in order; the last one repeats. */
let answers: Answer[] = [];
/** The bodies of the received requests. */
let bodies: string[] = [];
/** Their idempotency keys. */
let keys: (string | undefined)[] = [];

beforeAll(async () => {
  proxy = await listen((request, response) => void answer(request, response));
});
afterAll(() => proxy.close());

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  bodies.push(body);
  keys.push(request.headers['idempotency-key']?.toString());
  const next = (answers.length > 1 ? answers.shift() : answers[0]) ?? 'hang up';
  if (next === 'hang up') request.socket.destroy();
  else response.writeHead(next.status, next.headers).end(next.body);
}

function client(options: Partial<StoreClientOptions>, ...coming: Answer[]) {
  [answers, bodies, keys] = [coming, [], []];
  return createStoreClient({ baseUrl: proxy.url, ...options });
}

const json = (status: number, value: unknown, retryAfter?: string): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json', ...(retryAfter && { 'Retry-After': retryAfter }) },
  body: JSON.stringify(value),
});

const DONE = json(200, { email: 'ann@example.com' });
const refused = (status: number, retryAfter = '0') => json(status, { error: 'Try again.' }, retryAfter);
const ME = '/api/v1/users/me';
const SIGN_IN = { body: { email: 'ann@example.com', password: 'secret12' } };

describe('a read', () => {
  test.each<[string, Answer]>([
    ['503', refused(503)],
    ['429', refused(429)],
    ['409', refused(409)],
    ['a broken connection', 'hang up'],
  ])('is retried after %s', async (_, trouble) => {
    expect(await unwrap(client({}, trouble, DONE).GET(ME))).toEqual({ email: 'ann@example.com' });
    expect(bodies).toHaveLength(2);
  });

  test('is tried at most three times', async () => {
    const { error, response } = await client({}, refused(503)).GET(ME);
    expect([response.status, error]).toEqual([503, { error: 'Try again.' }]);
    expect(bodies).toHaveLength(3);
  });

  test('rejects with the last failure of the connection', async () => {
    await expect(client({ retry: { attempts: 2 } }, 'hang up').GET(ME)).rejects.toThrow('fetch failed');
    expect(bodies).toHaveLength(2);
  });

  test.each([500, 404])('is not retried after %d', async (status) => {
    await client({}, refused(status)).GET(ME);
    expect(bodies).toHaveLength(1);
  });

  test('waits for Retry-After, and returns the error if that is too long', async () => {
    const begun = performance.now();
    await client({}, refused(503, '1'), DONE).GET(ME);
    expect(performance.now() - begun).toBeGreaterThan(990);

    const later = new Date(Date.now() + 60_000).toUTCString();
    for (const tooLong of ['11', later]) {
      const refusal: unknown = await unwrap(client({}, refused(503, tooLong)).GET(ME)).catch(
        (e: unknown) => e,
      );
      expect(refusal).toBeInstanceOf(StoreError);
      expect((refusal as StoreError).retryAfter).toBeGreaterThan(10);
      expect(bodies).toHaveLength(1);
    }
  });

  test('stops waiting when it is aborted', async () => {
    const controller = new AbortController();
    const call = client({}, refused(503, '9')).GET(ME, { signal: controller.signal });
    while (bodies.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(bodies).toHaveLength(1);
  });

  test('is not retried if retries are off', async () => {
    await client({ retry: false }, refused(503)).GET(ME);
    expect(bodies).toHaveLength(1);
  });
});

describe('a write', () => {
  test.each([409, 429])(
    'is sent again, body and all, after %d, which has changed nothing',
    async (status) => {
      await unwrap(client({}, refused(status), DONE).POST('/api/v1/sessions', SIGN_IN));
      expect(bodies).toEqual([JSON.stringify(SIGN_IN.body), JSON.stringify(SIGN_IN.body)]);
    },
  );

  test.each<[string, Answer]>([
    ['503', refused(503)],
    ['500', refused(500)],
  ])('is not retried after %s: it may have succeeded', async (_, trouble) => {
    expect((await client({}, trouble, DONE).POST('/api/v1/sessions', SIGN_IN)).data).toBeUndefined();
    expect(bodies).toHaveLength(1);
  });

  test('is not retried if the connection breaks', async () => {
    await expect(client({}, 'hang up', DONE).POST('/api/v1/sessions', SIGN_IN)).rejects.toThrow(
      'fetch failed',
    );
    expect(bodies).toHaveLength(1);
  });
});

describe('a write that accepts a key', () => {
  const ORDER = { body: { order: { email: 'ann@example.com' } } };

  test.each<[string, Answer]>([
    ['503', refused(503)],
    ['a broken connection', 'hang up'],
  ])('is sent again under the same key after %s', async (_, trouble) => {
    await unwrap(client({}, trouble, DONE).POST('/api/v1/orders', ORDER));
    expect(bodies).toEqual([JSON.stringify(ORDER.body), JSON.stringify(ORDER.body)]);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  test('has a new key for each call, unless the call has one', async () => {
    const store = client({}, DONE);
    await store.POST('/api/v1/orders', ORDER);
    await store.POST('/api/v1/orders', ORDER);
    expect(keys[1]).not.toBe(keys[0]);
    await store.POST('/api/v1/orders', { ...ORDER, headers: { 'Idempotency-Key': 'my own key' } });
    expect(keys[2]).toBe('my own key');
  });

  test('is sent without a key if retries are off, and to sign-up and sign-in', async () => {
    await client({ retry: false }, DONE).POST('/api/v1/orders', ORDER);
    expect(keys).toEqual([undefined]);
    await client({}, DONE).POST('/api/v1/sessions', SIGN_IN);
    expect(keys).toEqual([undefined]);
  });
});

describe('a reply of a proxy', () => {
  test.each<[string, Answer]>([
    ['a page', { status: 502, headers: { 'Content-Type': 'text/html' }, body: '<h1>Bad Gateway</h1>' }],
    ['nothing', { status: 502, headers: { 'Content-Length': '0' } }],
  ])('is an error: %s', async (_, page) => {
    const { error } = await client({}, page).GET(ME);
    expect(error).toEqual({ error: '502 Bad Gateway' });
  });

  test('is not followed to another origin with the tokens', async () => {
    const elsewhere: Answer = { status: 302, headers: { Location: `${proxy.url}/elsewhere` } };
    await expect(client({ retry: false, token: 'secret' }, elsewhere, DONE).GET(ME)).rejects.toThrow();
    expect(bodies).toHaveLength(1);
  });
});
