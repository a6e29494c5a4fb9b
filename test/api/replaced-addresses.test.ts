import { aCustomer } from '../support/accounts.factory';
import { api } from '../support/api';
import { testDb } from '../support/database';
import { marylandAddress, orderInState } from '../support/orders.factory';

/** Which of these addresses are still kept. */
const kept = (...ids: number[]): Promise<number[]> =>
  testDb()('addresses').whereIn('id', ids).orderBy('id').pluck('id');

const idsOf = (holder: any): [number, number] => [holder.bill_address.id, holder.ship_address.id];

async function put(order: any, path: string, attributes: object): Promise<any> {
  // The checkout would go on and on; orders take no notice of a state.
  const reply = await api(order.caller).put(`/${path}/${order.number}`, {
    order: { ...attributes, state: 'address' },
  });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body;
}

describe('an address that an order has replaced is not kept', () => {
  test.each(['orders', 'checkouts'])('by PUT /%s: both, or one of them', async (path) => {
    const order = await orderInState('delivery');
    const [bill, ship] = idsOf(order);
    const address = { ...(await marylandAddress()), firstname: 'Bea' };

    const shipped = idsOf(await put(order, path, { ship_address_attributes: address }));
    expect(shipped[0]).toBe(bill);
    expect(await kept(bill, ship, shipped[1])).toEqual([bill, shipped[1]]);

    const both = idsOf(await put(order, path, { bill_address_attributes: address, use_billing: true }));
    expect(await kept(bill, ...shipped, ...both)).toEqual(both);
  });

  test('when the order is complete neither', async () => {
    const order = await orderInState('complete');
    const [bill, ship] = idsOf(order);
    const [billed] = idsOf(await put(order, 'orders', { bill_address_attributes: await marylandAddress() }));
    expect(await kept(bill, ship, billed)).toEqual([ship, billed]);
  });

  test('one that is changed in place stays the same', async () => {
    const order = await orderInState('delivery');
    const [bill, ship] = idsOf(order);
    const moved = await put(order, 'orders', {
      bill_address_attributes: { id: bill, city: 'Rockville' },
    });
    expect(idsOf(moved)).toEqual([bill, ship]);
  });

  test('what is refused replaces nothing', async () => {
    const order = await orderInState('delivery');
    const address = await marylandAddress();
    const reply = await api(order.caller).put(`/orders/${order.number}`, {
      order: { bill_address_attributes: address, ship_address_attributes: { ...address, city: '' } },
    });
    expect(reply.status).toBe(422);
    expect(await kept(...idsOf(order))).toEqual(idsOf(order));
  });

  test('one that somebody else is at, too, stays', async () => {
    const [order, other] = [await orderInState('delivery'), await orderInState('delivery')];
    const [bill, ship] = idsOf(order);
    await testDb()('orders').where({ id: other.id }).update({ bill_address_id: bill, ship_address_id: bill });
    await put(order, 'orders', { bill_address_attributes: await marylandAddress(), use_billing: true });
    expect(await kept(bill, ship)).toEqual([bill]);
    const [newBill, same] = idsOf(
      await put(other, 'orders', { bill_address_attributes: await marylandAddress() }),
    );
    expect([await kept(bill), same]).toEqual([[bill], bill]);
    expect(newBill).not.toBe(bill);
  });
});

test('of the addresses a user saved with orders the last ones are kept', async () => {
  const ann = await aCustomer();
  await orderInState('delivery', { caller: ann });
  const saved = await testDb()('users').where({ id: ann.id }).first('bill_address_id', 'ship_address_id');
  const order = await orderInState('delivery', { caller: ann });
  const now = await testDb()('users').where({ id: ann.id }).first('bill_address_id', 'ship_address_id');
  expect(await kept(saved.bill_address_id, saved.ship_address_id)).toEqual([]);
  expect(await kept(now.bill_address_id, now.ship_address_id)).toHaveLength(2);
  // The order has its own: what the user changes later leaves it.
  expect(idsOf(order)).not.toContain(now.bill_address_id);
  expect(idsOf(order)).not.toContain(now.ship_address_id);
  const user = (await api(ann).get(`/users/${ann.id}`)).body;
  expect([user.bill_address.zipcode, user.ship_address.city]).toEqual(['20814', 'Bethesda']);
});
