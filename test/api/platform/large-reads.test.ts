import { asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { waitUntilWaiting } from '../../support/locks';

/** More than the connections of the pool. */
const REQUESTS = 16;

async function countWaiting(): Promise<number> {
  const { rows } = await testDb().raw(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rows.length;
}

test('lists of all variants share few connections, also for guests', async () => {
  const requests = await testDb().transaction(async (tx) => {
    await tx.raw('LOCK TABLE variants IN ACCESS EXCLUSIVE MODE');
    // Different requests, because equal ones share a reply.
    const sent = Array.from({ length: REQUESTS }, async (_, index) =>
      api().get(`/variants?q[weight_lt]=${index + 1}`),
    );
    await waitUntilWaiting(2);
    for (let time = 0; time < 5; time += 1) expect((await api().get('/countries')).status).toBe(200);
    expect(await countWaiting()).toBe(2);
    return sent;
  });
  for (const reply of await Promise.all(requests)) expect(reply.status).toBe(200);
});

test.each([
  ['lists', '/orders?q[s]=total', 2],
  ['lists of the payments', '/payments?q[amount_gt]=5', 2],
  ['reports', '/reports/sales', 2],
  ['exports', '/exports/orders.csv', 1],
])('slow %s of staff share few connections, and the shop uses the others', async (_what, path, slots) => {
  const admin = await asAdmin();
  const requests = await testDb().transaction(async (tx) => {
    await tx.raw('LOCK TABLE orders, payments IN ACCESS EXCLUSIVE MODE');
    const sent = Array.from({ length: REQUESTS }, async () => admin.get(path));
    await waitUntilWaiting(slots);
    for (let time = 0; time < 5; time += 1)
      expect((await api().get('/products?per_page=1')).status).toBe(200);
    expect(await countWaiting()).toBe(slots);
    return sent;
  });
  for (const reply of await Promise.all(requests)) expect(reply.status).toBe(200);
});
