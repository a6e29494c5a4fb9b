import { aCustomer } from '../support/accounts.factory';
import { api } from '../support/api';
import { testDb } from '../support/database';
import { waitUntilBlockedBy } from '../support/locks';
import { aSellableVariant, buildMarylandAddress } from '../support/orders.factory';

/** Concurrent carts of one customer copy the saved addresses, and each replaces them on leaving `address`. */
test('twelve concurrent carts of one customer copy and replace the saved addresses', async () => {
  const [ann, variant, address] = [
    await aCustomer(),
    await aSellableVariant({ stock: 1000 }),
    await buildMarylandAddress(),
  ];
  const shopper = api(ann);
  const saved = { bill_address: address, ship_address: address };
  expect((await shopper.put(`/users/${ann.id}`, { user: saved })).status).toBe(200);
  const take = async (): Promise<unknown[]> => {
    const line_items = [{ variant_id: variant.id }];
    const { number } = (await shopper.post('/orders', { order: { line_items } })).body;
    const filled = await shopper.put(`/checkouts/${number}/next`);
    const moved = await shopper.put(`/checkouts/${number}/next`);
    return [filled.status, filled.body.ship_address?.city, moved.status, moved.body.state];
  };
  for (let round = 0; round < 4; round++) {
    const ends = await Promise.all(Array.from({ length: 12 }, take));
    expect(ends).toEqual(Array.from({ length: 12 }, () => [200, 'Bethesda', 200, 'delivery']));
  }
  const { rows } = await testDb().raw(
    `SELECT count(*)::int AS unused FROM addresses a
      WHERE NOT EXISTS (SELECT 1 FROM users WHERE a.id IN (bill_address_id, ship_address_id))
        AND NOT EXISTS (SELECT 1 FROM orders WHERE a.id IN (bill_address_id, ship_address_id))`,
  );
  expect(rows).toEqual([{ unused: 0 }]);
});

test('saved addresses that are replaced while an order copies them are copied as they are afterwards', async () => {
  const [ann, variant, address] = [await aCustomer(), await aSellableVariant(), await buildMarylandAddress()];
  const shopper = api(ann);
  const saved = await shopper.put(`/users/${ann.id}`, { user: { ship_address: address } });
  const line_items = [{ variant_id: variant.id }];
  const { number } = (await shopper.post('/orders', { order: { line_items } })).body;
  const filled = await testDb().transaction(async (holder) => {
    // Blocks insertions of addresses, so that the request stops before it copies the address.
    await holder.raw('LOCK TABLE addresses IN SHARE MODE');
    const reply = shopper.put(`/checkouts/${number}/next`);
    await waitUntilBlockedBy(holder);
    const { id, ...values } = await holder('addresses').where({ id: saved.body.ship_address.id }).first('*');
    const [copy] = await holder('addresses')
      .insert({ ...values, city: 'Rockville' })
      .returning('id');
    await holder('users').where({ id: ann.id }).update({ ship_address_id: copy.id });
    await holder('addresses').where({ id }).delete();
    return { reply };
  });
  const reply = await filled.reply;
  expect([reply.status, reply.body.ship_address?.city]).toEqual([200, 'Rockville']);
});
