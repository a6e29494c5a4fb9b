import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repeatRequest } from '../support/attackers';
import { OWNER_TOKEN } from '../support/demo-shop';
import { endSieges, expectToWithstand, startSiege, type Siege } from '../support/siege';

jest.setTimeout(400_000);

/** As in attacks.slow.test.ts. */
const describeOnLinux = existsSync('/proc/self/status') ? describe : describe.skip;

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
async function openCart(size: number): Promise<{ path: string; headers: Record<string, string> }> {
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
  const cart = (await reply.json()) as { number: string; token: string; line_items: object[] }; // a reply of the store
  expect([reply.status, cart.line_items.length]).toEqual([201, variants.length]);
  return { path: `/api/v1/orders/${cart.number}`, headers: { ...json, 'X-Order-Token': cart.token } };
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
});
