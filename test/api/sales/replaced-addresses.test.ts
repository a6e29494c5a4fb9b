import { aCustomer, anAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { buildMarylandAddress, orderInState } from '../../support/orders.factory';

/** Lists which of these addresses still exist. */
const listKeptAddresses = (...ids: number[]): Promise<number[]> =>
  testDb()('addresses').whereIn('id', ids).orderBy('id').pluck('id');

const getAddressIds = (holder: any): [number, number] => [holder.bill_address.id, holder.ship_address.id];

async function put(order: any, path: string, attributes: object): Promise<any> {
  // The checkout would go on to further steps; orders ignore a state.
  const body = { order: attributes, state: 'address' };
  const reply = await api(order.caller).put(`/${path}/${order.number}`, body);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body;
}

describe('an address that an order has replaced is deleted', () => {
  test.each(['orders', 'checkouts'])('by PUT /%s: both or one of them', async (path) => {
    const order = await orderInState('delivery');
    const [bill, ship] = getAddressIds(order);
    const address = { ...(await buildMarylandAddress()), firstname: 'Bea' };

    const shipped = getAddressIds(await put(order, path, { ship_address_attributes: address }));
    expect(shipped[0]).toBe(bill);
    expect(await listKeptAddresses(bill, ship, shipped[1])).toEqual([bill, shipped[1]]);

    const both = getAddressIds(
      await put(order, path, { bill_address_attributes: address, use_billing: true }),
    );
    expect(await listKeptAddresses(bill, ...shipped, ...both)).toEqual(both);
  });

  test('also when the order is complete', async () => {
    const order = await orderInState('complete');
    const [bill, ship] = getAddressIds(order);
    const [billed] = getAddressIds(
      await put({ ...order, caller: await anAdmin() }, 'orders', {
        bill_address_attributes: await buildMarylandAddress(),
      }),
    );
    expect(await listKeptAddresses(bill, ship, billed)).toEqual([ship, billed]);
  });

  test('an address updated in place keeps its id', async () => {
    const order = await orderInState('delivery');
    const [bill, ship] = getAddressIds(order);
    const moved = await put(order, 'orders', {
      bill_address_attributes: { id: bill, city: 'Rockville' },
    });
    expect(getAddressIds(moved)).toEqual([bill, ship]);
  });

  test('a failed update replaces nothing', async () => {
    const order = await orderInState('delivery');
    const address = await buildMarylandAddress();
    const reply = await api(order.caller).put(`/orders/${order.number}`, {
      order: { bill_address_attributes: address, ship_address_attributes: { ...address, city: '' } },
    });
    expect(reply.status).toBe(422);
    expect(await listKeptAddresses(...getAddressIds(order))).toEqual(getAddressIds(order));
  });

  test('a shared address is kept', async () => {
    const [order, other] = [await orderInState('delivery'), await orderInState('delivery')];
    const [bill, ship] = getAddressIds(order);
    await testDb()('orders').where({ id: other.id }).update({ bill_address_id: bill, ship_address_id: bill });
    await put(order, 'orders', { bill_address_attributes: await buildMarylandAddress(), use_billing: true });
    expect(await listKeptAddresses(bill, ship)).toEqual([bill]);
    const [newBill, same] = getAddressIds(
      await put(other, 'orders', { bill_address_attributes: await buildMarylandAddress() }),
    );
    expect([await listKeptAddresses(bill), same]).toEqual([[bill], bill]);
    expect(newBill).not.toBe(bill);
  });
});

test('the last addresses that a user saved with orders are kept', async () => {
  const ann = await aCustomer();
  await orderInState('delivery', { caller: ann });
  const saved = await testDb()('users').where({ id: ann.id }).first('bill_address_id', 'ship_address_id');
  const order = await orderInState('delivery', { caller: ann });
  const now = await testDb()('users').where({ id: ann.id }).first('bill_address_id', 'ship_address_id');
  expect(await listKeptAddresses(saved.bill_address_id, saved.ship_address_id)).toEqual([]);
  // Equal addresses are saved as one.
  expect(now.ship_address_id).toBe(now.bill_address_id);
  expect(await listKeptAddresses(now.bill_address_id)).toEqual([now.bill_address_id]);
  // The order has its own copy: later changes of the user do not affect it.
  expect(getAddressIds(order)).not.toContain(now.bill_address_id);
  expect(getAddressIds(order)).not.toContain(now.ship_address_id);
  const user = (await api(ann).get(`/users/${ann.id}`)).body;
  expect([user.bill_address.zipcode, user.ship_address.city]).toEqual(['20814', 'Bethesda']);
  const ship_address_attributes = { ...(await buildMarylandAddress()), firstname: 'Bea' };
  await put(order, 'checkouts', { ship_address_attributes });
  const changed = (await api(ann).get(`/users/${ann.id}`)).body;
  const names = [changed.bill_address, changed.ship_address].map(({ firstname }) => firstname);
  expect(names).toEqual(['Ann', 'Bea']);
});
