import { randomBytes } from 'node:crypto';
import { aCustomer, anAdmin } from '../support/accounts.factory';
import { api } from '../support/api';
import { testDb } from '../support/database';
import { waitUntilBlockedBy } from '../support/locks';
import { aSellableVariant, orderInState } from '../support/orders.factory';
import { unique } from '../support/unique';

/** Inserts an order in an open transaction of its own, sends the request, and commits when the request waits. */
async function whileAnOrderIsPlaced<T>(
  values: { user_id?: number; email: string },
  send: () => Promise<T>,
): Promise<{ reply: T; number: string }> {
  const template = await orderInState('cart');
  const { reply, number } = await testDb().transaction(async (placing) => {
    const copied = await placing('orders').where({ id: template.id }).first('token_seed', 'currency');
    const made = { ...copied, ...values, number: unique('R'), token_hash: randomBytes(32) };
    await placing('orders').insert(made);
    const sent = send();
    await waitUntilBlockedBy(placing);
    return { reply: { sent }, number: made.number };
  });
  return { reply: await reply.sent, number };
}

test.each(['of the account', 'of a guest with the same e-mail address'])(
  'an order %s that is placed during an erasure is erased too',
  async (whose) => {
    const [ann, admin] = [await aCustomer(), await anAdmin()];
    const owner = whose === 'of the account' ? { user_id: ann.id } : {};
    const { reply, number } = await whileAnOrderIsPlaced({ ...owner, email: ann.email }, () =>
      api(admin).put(`/users/${ann.id}/erase`),
    );
    expect(reply.status).toBe(200);
    const { email } = await testDb()('orders').where({ number }).first('email');
    expect(email).toBe(`erased-${ann.id}@erased.invalid`);
  },
);

test('an order that is placed during a merge goes to the kept account', async () => {
  const [ann, old, admin] = [await aCustomer(), await aCustomer(), await anAdmin()];
  const { reply, number } = await whileAnOrderIsPlaced({ user_id: old.id, email: old.email }, () =>
    api(admin).put(`/users/${ann.id}/merge`, { user_id: old.id }),
  );
  expect(reply.status).toBe(200);
  const order = await testDb()('orders').where({ number }).first('user_id', 'email');
  expect(order).toEqual({ user_id: ann.id, email: ann.email });
});

test('two merges in opposite directions leave one account with everything', async () => {
  const [ann, old, admin] = [await aCustomer(), await aCustomer(), await anAdmin()];
  const variant = await aSellableVariant();
  for (const caller of [ann, old]) {
    await api(caller).post('/orders', { order: { line_items: [{ variant_id: variant.id }] } });
  }
  const replies = await Promise.all([
    api(admin).put(`/users/${ann.id}/merge`, { user_id: old.id }),
    api(admin).put(`/users/${old.id}/merge`, { user_id: ann.id }),
  ]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
  const users = await testDb()('users').whereIn('id', [ann.id, old.id]).pluck('id');
  expect(users).toHaveLength(1);
  const { rows } = await testDb().raw(
    'SELECT sum(quantity)::int AS units FROM line_items l JOIN orders o ON o.id = l.order_id WHERE o.user_id = ?',
    users,
  );
  expect(rows).toEqual([{ units: 2 }]);
});

test('a merge sent several times at once happens once', async () => {
  const [ann, old, admin] = [await aCustomer(), await aCustomer(), await anAdmin()];
  const order = await orderInState('complete', { caller: old });
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => api(admin).put(`/users/${ann.id}/merge`, { user_id: old.id })),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  expect(await testDb()('order_changes').where({ order_id: order.id })).toHaveLength(1);
});
