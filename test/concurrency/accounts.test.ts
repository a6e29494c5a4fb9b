import { hashPassword } from '../../src/accounts/passwords';
import { createRateLimits } from '../../src/platform/rate-limits';
import { aCustomer, asAdmin, aSignedUpCustomer } from '../support/accounts.factory';
import { api } from '../support/api';
import { testDb } from '../support/database';
import { waitUntilBlockedBy } from '../support/locks';
import { readResetToken } from '../support/mail';
import { buildMarylandAddress, aSellableVariant, orderInState } from '../support/orders.factory';
import { unique } from '../support/unique';

const times = <T>(count: number, work: (place: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, place) => work(place)));

const statusesOf = (replies: { status: number }[]): number[] => replies.map(({ status }) => status).sort();

test('a reset token that is sent several times at once works once', async () => {
  const ann = await aSignedUpCustomer();
  await api().post('/passwords', { email: ann.email });
  const token = await readResetToken(ann.email);
  const replies = await times(6, (place) =>
    api().put('/passwords', { token, password: `brand-new-${place}` }),
  );
  expect(statusesOf(replies)).toEqual([200, 422, 422, 422, 422, 422]);
  const { rows } = await testDb().raw(
    'SELECT count(*)::int AS live FROM api_tokens WHERE user_id = ? AND revoked_at IS NULL',
    [ann.id],
  );
  expect(rows).toEqual([{ live: 1 }]);
});

/** Sends a request, and replaces the password and ends the tokens of the user, as a reset does, before it writes. */
async function whilePasswordChanges<T>(user: { id: number }, send: () => Promise<T>): Promise<T> {
  const { sent } = await testDb().transaction(async (tx) => {
    await tx('users').where({ id: user.id }).forUpdate().first('id');
    const reply = send();
    await waitUntilBlockedBy(tx);
    await tx('users')
      .where({ id: user.id })
      .update({ password_digest: await hashPassword('brand-new-1') });
    await tx('api_tokens').where({ user_id: user.id }).update({ revoked_at: new Date() });
    return { sent: reply };
  });
  return sent;
}

test('a sign-in with the old password that waits for a new one is refused', async () => {
  const ann = await aSignedUpCustomer();
  const reply = await whilePasswordChanges(ann, () =>
    api().post('/sessions', { email: ann.email, password: ann.password }),
  );
  expect(reply.status).toBe(401);
  expect(await testDb()('api_tokens').where({ user_id: ann.id }).whereNull('revoked_at')).toEqual([]);
});

test('a token that has ended meanwhile creates no other one', async () => {
  const ann = await aSignedUpCustomer();
  const reply = await whilePasswordChanges(ann, () => api(ann).post(`/users/${ann.id}/tokens`, {}));
  expect(reply.status).toBe(401);
  expect(await testDb()('api_tokens').where({ user_id: ann.id }).whereNull('revoked_at')).toEqual([]);
});

test('a token that has ended meanwhile changes neither password nor e-mail address', async () => {
  const ann = await aSignedUpCustomer();
  const reply = await whilePasswordChanges(ann, () =>
    api(ann).put('/users/me', { user: { password: 'by-the-thief', current_password: ann.password } }),
  );
  expect(reply.status).toBe(401);
  expect((await api().post('/sessions', { email: ann.email, password: 'brand-new-1' })).status).toBe(201);
});

test('a merge that waits for the cart of the kept account blocks no account meanwhile', async () => {
  const [ann, old] = [await aCustomer(), await aCustomer()];
  const cart = await orderInState('cart', { caller: ann });
  await orderInState('cart', { caller: old });
  const { sent } = await testDb().transaction(async (tx) => {
    await tx('orders').where({ id: cart.id }).forUpdate().first('id');
    const reply = (await asAdmin()).put(`/users/${ann.id}/merge`, { user_id: old.id });
    await waitUntilBlockedBy(tx);
    const ids = tx('users').whereIn('id', [ann.id, old.id]).forUpdate().noWait().pluck('id');
    expect(await ids).toHaveLength(2);
    return { sent: reply };
  });
  expect((await sent).status).toBe(200);
});

test('the first orders of a customer that are completed at once leave one default card', async () => {
  const ann = await aCustomer();
  const lines = [{ variant_id: (await aSellableVariant({ stock: 100 })).id }];
  const orders = [];
  for (let count = 0; count < 6; count++) orders.push(await orderInState('confirm', { caller: ann, lines }));
  const replies = await Promise.all(
    orders.map((order) => api(order.caller).put(`/checkouts/${order.number}/next`)),
  );
  expect(replies.map(({ status, body }) => [status, body.state])).toEqual(
    orders.map(() => [200, 'complete']),
  );
  expect(await testDb()('credit_cards').where({ user_id: ann.id, is_default: true })).toHaveLength(1);
});

test('a card that is deleted while it becomes the default one leaves the former default', async () => {
  const ann = await aCustomer();
  const [first, second] = [
    await orderInState('complete', { caller: ann }),
    await orderInState('complete', { caller: ann }),
  ];
  const cards = [first.payments[0].source.id, second.payments[0].source.id];
  const path = `/users/me/credit_cards/${cards[0]}`;
  const replies = await Promise.all([
    api(ann).put(path, { credit_card: { default: true } }),
    api(ann).delete(path),
    api(ann).put(path, { credit_card: { default: true } }),
  ]);
  for (const { status } of replies) expect([200, 204, 404]).toContain(status);
  const left = await testDb()('credit_cards').where({ user_id: ann.id });
  expect(left.filter(({ is_default }) => is_default).length).toBeLessThanOrEqual(1);
});

test('addresses that become the default at once leave one, and deletions leave none that is gone', async () => {
  const ann = await aCustomer();
  const address = await buildMarylandAddress();
  const made = await times(6, () =>
    api(ann).post('/users/me/addresses', { address: { ...address, default_bill: true } }),
  );
  expect(statusesOf(made)).toEqual([201, 201, 201, 201, 201, 201]);
  const replies = await Promise.all(
    made.flatMap(({ body }) => [
      api(ann).put(`/users/me/addresses/${body.id}`, { address: { default_ship: true } }),
      api(ann).delete(`/users/me/addresses/${body.id}`),
    ]),
  );
  for (const { status } of replies) expect([200, 204, 404]).toContain(status);
  expect((await api(ann).get('/users/me/addresses')).body.addresses).toEqual([]);
});

test('attempts at once stay within a limit that two instances share', async () => {
  const instances = [createRateLimits(testDb(), 1), createRateLimits(testDb(), 1)];
  const key = { limit: { name: 'race', attempts: 20, seconds: 60 }, key: unique('key') };
  const taken = await Promise.allSettled(
    Array.from({ length: 30 }, () => instances.map((limits) => limits.take([key]))).flat(),
  );
  expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
});
