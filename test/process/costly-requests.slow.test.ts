import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LIMITS } from '../../src/access/limits';
import { buildRequest, openConnection, repeatRequest, untilAborted } from '../support/attackers';
import { OWNER_TOKEN } from '../support/demo-shop';
import { aPicture } from '../support/pictures';
import { endSieges, expectToWithstand, startSiege, type Siege } from '../support/siege';

/** As in attacks.slow.test.ts. */
const describeOnLinux = existsSync('/proc/self/status') ? describe : describe.skip;

/**
 * With SIEGE=1 only, as in costly-reads.slow.test.ts. Pictures that are drawn leave 130 MiB to the allocator, so that beside them
 * the memory of the others would depend on the order of the tests.
 */
const testOnQuietMachine = process.env['SIEGE'] === '1' ? test : test.skip;

const json = { 'Content-Type': 'application/json' };

let folder: string;
let siege: Siege;

/** Runs the attack, to which only these statuses are replied. */
async function expectReplies(
  statuses: readonly number[],
  attack: Parameters<typeof repeatRequest>[2],
): Promise<void> {
  const replied = new Set<number>();
  await expectToWithstand(siege, async (target, signal) => {
    for (const status of await repeatRequest(target, signal, attack)) replied.add(status);
  });
  expect([...replied].filter((status) => !statuses.includes(status))).toEqual([]);
  expect(replied.size).toBeGreaterThan(0);
}

/** Opens a cart with `size` lines. */
async function openCart(
  size: number,
): Promise<{ path: string; headers: Record<string, string>; line: number }> {
  const variants: { id: number }[] = await siege
    .db('variants')
    .join('stock_items', 'stock_items.variant_id', 'variants.id')
    .where('count_on_hand', '>', 5)
    .whereNull('variants.deleted_at')
    .distinct('variants.id')
    .limit(size);
  const line_items = variants.map(({ id }) => ({ variant_id: id, quantity: 1 }));
  const reply = await fetch(`${siege.store.url}/api/v1/orders`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ order: { line_items } }),
  });
  const cart = (await reply.json()) as { number: string; token: string; line_items: { id: number }[] }; // a reply of the store
  expect([reply.status, cart.line_items.length]).toEqual([201, variants.length]);
  const headers = { ...json, 'X-Order-Token': cart.token };
  return { path: `/api/v1/orders/${cart.number}`, headers, line: cart.line_items[0]?.id ?? 0 };
}

describeOnLinux('other guests are served during', () => {
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'store-costs-'));
    siege = await startSiege({ DATA_DIR: folder });
  });
  afterAll(async () => {
    await endSieges();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a storm of requests for the PDF of an order', async () => {
    const { number } = await siege
      .db('documents')
      .join('orders', 'orders.id', 'order_id')
      .first('orders.number');
    const request = {
      path: `/api/v1/orders/${number}/invoice.pdf`,
      headers: { 'X-Store-Token': OWNER_TOKEN },
    };
    await expectReplies([200], { request, connections: 4 });
  });

  test('forty steps at once on one large cart', async () => {
    const { path: cart, headers } = await openCart(60);
    const request = {
      method: 'PUT',
      path: `${cart}/next`.replace('/orders/', '/checkouts/'),
      headers,
      body: '{}',
    };
    // Without addresses the step is refused, after the cart has been calculated.
    await expectReplies([200, 409, 422, 429], { request, connections: 40 });
  });

  testOnQuietMachine('changes of large carts', async () => {
    const carts = await Promise.all([1, 2, 3, 4].map(() => openCart(160)));
    const request = (number: number) => {
      const { path: cart, headers, line } = carts[number % carts.length]!;
      const body = JSON.stringify({ line_item: { quantity: 1 + (number % 3) } });
      return { method: 'PUT', path: `${cart}/line_items/${line}`, headers, body };
    };
    await expectReplies([200, 409, 429, 503], { request, connections: 8 });
  });

  test('failed sign-ins of one limited address', async () => {
    const request = () => ({
      method: 'POST',
      path: '/api/v1/sessions',
      headers: json,
      body: JSON.stringify({ email: 'admin@example.com', password: randomUUID() }),
    });
    await expectReplies([401, 429], { request, connections: 20 });
  });

  test('a flood of sign-ups', async () => {
    const request = () => ({
      method: 'POST',
      path: '/api/v1/users',
      headers: json,
      body: JSON.stringify({ user: { email: `${randomUUID()}@example.com`, password: randomUUID() } }),
    });
    await expectReplies([201, 429], { request, connections: 8 });
  });

  test('a flood of requests with an Idempotency-Key, whose replies take no more than their space', async () => {
    const { path: cart, headers } = await openCart(30);
    const request = () => ({
      method: 'PUT',
      path: cart,
      headers: { ...headers, 'Idempotency-Key': randomUUID() },
      body: JSON.stringify({ order: { special_instructions: randomUUID() } }),
    });
    await expectReplies([200, 409, 429, 503], { request, connections: 10 });
    const { rows } = await siege.db.raw<{ rows: [{ bytes: string }] }>(
      'SELECT coalesce(sum(octet_length(reply)), 0) AS bytes FROM idempotency_replies',
    );
    expect(Number(rows[0].bytes)).toBeLessThan(1.1 * LIMITS.repliesOfOrder.attempts);
    // A refused request leaves no key. Those whose clients have left may still run.
    const countKept = async () => {
      const { rows: kept } = await siege.db.raw<{
        rows: [{ keys: number; replies: number; running: number }];
      }>(
        `SELECT count(*)::integer AS keys, (SELECT count(*)::integer FROM idempotency_replies) AS replies,
                count(*) FILTER (WHERE claimed_until > clock_timestamp())::integer AS running
           FROM idempotency_keys`,
      );
      return kept[0];
    };
    let kept = await countKept();
    while (kept.running > 0) kept = await countKept();
    expect(kept.keys).toBe(kept.replies);
  });

  test('a flood of wrong coupon codes', async () => {
    const { path: cart, headers } = await openCart(1);
    const request = () => ({
      method: 'PUT',
      path: `${cart}/apply_coupon_code`,
      headers,
      body: JSON.stringify({ coupon_code: randomUUID() }),
    });
    await expectReplies([422, 429], { request, connections: 20 });
  });

  test('a flood of carts, which are no more than an address may open', async () => {
    const countCarts = async () => Number((await siege.db('orders').count({ n: '*' }).first())?.['n']);
    const before = await countCarts();
    await expectReplies([201, 429], { request: { method: 'POST', path: '/api/v1/orders' }, connections: 10 });
    // Those that run while the limit is reached may exceed it.
    const most = 1.1 * LIMITS.guestCartFromAddress.attempts;
    expect((await countCarts()) - before).toBeLessThan(most);
  });

  test('large bodies of a guest', async () => {
    const { path: cart, headers } = await openCart(1);
    const keys = Array.from({ length: 4_900 }, (_, index) => [`unknown${index}`, 'x'.repeat(190)]);
    const body = JSON.stringify({ order: Object.fromEntries(keys) });
    const request = { method: 'PUT', path: cart, headers, body };
    await expectReplies([200, 409, 429, 503], { request, connections: 8 });
  });

  test('exports whose clients do not read: others are served, staff too', async () => {
    const names = ['products', 'line_items', 'movements', 'stock'];
    const requests = names.map((name) =>
      buildRequest({ path: `/api/v1/exports/${name}.csv`, headers: { 'X-Store-Token': OWNER_TOKEN } }),
    );
    // Together they are more than the operating system takes for a client.
    const bytes = Buffer.concat(
      Array.from({ length: 100 }, (_, index) => requests[index % 4] ?? Buffer.of()),
    );
    const statuses: number[] = [];
    await expectToWithstand(siege, async (target, signal) => {
      const readers = Array.from({ length: 20 }, async () =>
        (await openConnection(target, signal)).pause().write(bytes),
      );
      await Promise.all(readers);
      const read = await fetch(`${siege.store.url}/api/v1/exports/prices.csv`, {
        headers: { 'X-Store-Token': OWNER_TOKEN },
      });
      await read.text();
      statuses.push(read.status);
      await untilAborted(signal);
    });
    expect(statuses).toContain(200);
  });

  test('imports of staff, and uploads of guests', async () => {
    const rows = Array.from({ length: 3_000 }, (_, row) => `NO-SUCH-SKU-${row},${row % 90}.00`);
    const file = ['sku,price', ...rows].join('\n');
    const upload = async (token: string): Promise<[status: number, id: number]> => {
      const form = new FormData();
      form.set('kind', 'prices');
      form.set('dry_run', 'true');
      form.set('file', new Blob([file], { type: 'text/csv' }), 'prices.csv');
      const reply = await fetch(`${siege.store.url}/api/v1/imports`, {
        method: 'POST',
        headers: { 'X-Store-Token': token },
        body: form,
      });
      return [reply.status, ((await reply.json()) as { id: number }).id]; // a reply of the store
    };
    const statuses = new Set<string>();
    await expectToWithstand(siege, async (_target, signal) => {
      while (!signal.aborted) {
        const [[own, id], ...guests] = await Promise.all([upload(OWNER_TOKEN), upload(''), upload('')]);
        statuses.add(`staff ${own}`);
        for (const [status] of guests) statuses.add(`guest ${status}`);
        await fetch(`${siege.store.url}/api/v1/imports/${id}`, {
          method: 'DELETE',
          headers: { 'X-Store-Token': OWNER_TOKEN },
        });
      }
    });
    expect([...statuses]).toEqual(expect.arrayContaining(['staff 202', 'guest 401']));
    const busy = ['staff 503', 'guest 503'];
    expect([...statuses].filter((status) => ![...busy, 'staff 202', 'guest 401'].includes(status))).toEqual(
      [],
    );
    const isFinished = async () => (await siege.db('imports').whereNull('finished_at')).length === 0;
    while (!(await isFinished()));
  });

  test('exports and the feed for search engines', async () => {
    await siege.db('stores').update({ feeds: true });
    const paths = ['products', 'line_items', 'orders', 'movements'].map(
      (name) => `/api/v1/exports/${name}.csv`,
    );
    paths.push('/feeds/google.xml', '/sitemap.xml?page=900000');
    const request = (number: number) => ({
      path: paths[number % paths.length] ?? '',
      headers: { 'X-Store-Token': OWNER_TOKEN, 'Accept-Encoding': 'gzip' },
    });
    await expectReplies([200, 503], { request, connections: 12 });
  });

  testOnQuietMachine(
    'a flood of requests for pictures, in sizes and formats that are made at once',
    async () => {
      const { id } = await siege.db('products').first('id');
      const form = new FormData();
      const picture = await aPicture({ width: 3_000, height: 2_000 });
      form.set('image[attachment]', new Blob([new Uint8Array(picture)]), 'large.jpg');
      const reply = await fetch(`${siege.store.url}/api/v1/products/${id}/images`, {
        method: 'POST',
        headers: { 'X-Store-Token': OWNER_TOKEN },
        body: form,
      });
      const image = (await reply.json()) as { id: number; attachment_file_name: string }; // a reply of the store
      expect(reply.status).toBe(201);
      const sizes = ['xlarge', 'large', 'product', 'small', 'mini'];
      const formats = ['image/avif', 'image/webp', '*/*'];
      const request = (number: number) => ({
        path: `/store/products/${image.id}/${sizes[number % 5]}/${image.attachment_file_name}`,
        headers: { Accept: formats[number % 3] ?? '' },
      });
      await expectReplies([200, 503], { request, connections: 40 });
    },
  );

  test('a hundred visitors of one address who come at once, and are served themselves', async () => {
    const { id: variant_id } = await siege
      .db('variants')
      .join('stock_items', 'stock_items.variant_id', 'variants.id')
      .where('count_on_hand', '>', 5)
      .whereNull('variants.deleted_at')
      .first('variants.id');
    const contents = JSON.stringify({ order: { line_items: [{ variant_id, quantity: 1 }] } });
    const visit = async (visitor: number): Promise<number[]> => {
      const send = (path: string, init: RequestInit = {}) => fetch(`${siege.store.url}/api/v1${path}`, init);
      const list = await send(`/products?per_page=100&q[name_cont]=e&visitor=${visitor}`);
      await list.text();
      const opened = await send('/orders', { method: 'POST', headers: json, body: contents });
      const { number, token } = (await opened.json()) as { number: string; token: string }; // a reply of the store
      const headers = { ...json, 'X-Order-Token': token };
      const body = JSON.stringify({ order: { email: `visitor${visitor}@example.com` } });
      const changed = await send(`/orders/${number}`, { method: 'PUT', headers, body });
      const read = await send(`/orders/${number}`, { headers });
      return [list, opened, changed, read].map(({ status }) => status);
    };
    const visits = await Promise.all(Array.from({ length: 100 }, (_, visitor) => visit(visitor)));
    expect(visits).toEqual(Array(100).fill([200, 201, 200, 200]));
  });
});
