import { aClerk, aCustomer, anAdmin, asAdmin } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { buildMarylandAddress, orderInState } from '../../support/orders.factory';
import { aCardPayment, anOrderOf } from '../../support/payments.factory';

describe('saved addresses', () => {
  test('are listed, created, changed and deleted by their user', async () => {
    const ann = api(await aCustomer());
    const address = await buildMarylandAddress();
    expect((await ann.get('/users/me/addresses')).body).toEqual({ addresses: [] });
    const made = await ann.post('/users/me/addresses', { address });
    expect([made.status, made.body]).toMatchObject([
      201,
      { city: 'Bethesda', default_bill: false, default_ship: false },
    ]);
    const path = `/users/me/addresses/${made.body.id}`;
    const changed = await ann.put(path, { address: { city: 'Rockville', default_ship: true } });
    expect(changed.body).toMatchObject({ id: made.body.id, city: 'Rockville', default_ship: true });
    expect((await ann.get('/users/me')).body).toMatchObject({
      bill_address: null,
      ship_address: { id: made.body.id },
    });
    expect((await ann.get('/users/me/addresses')).body).toEqual({ addresses: [changed.body] });

    expect((await ann.post('/users/me/addresses', { address: { city: 'Rockville' } })).status).toBe(422);
    expect((await ann.delete(path)).status).toBe(204);
    expect((await ann.delete(path)).status).toBe(404);
    expect((await ann.get('/users/me')).body.ship_address).toBeNull();
    expect(await testDb()('addresses').where({ id: made.body.id })).toEqual([]);
  });

  test('stay when another address becomes the default', async () => {
    const customer = await aCustomer();
    const ann = api(customer);
    const address = await buildMarylandAddress();
    const user = await ann.put('/users/me', { user: { bill_address: address } });
    const made = await ann.post('/users/me/addresses', { address: { ...address, default_bill: true } });
    const { body } = await ann.get(`/users/${customer.id}/addresses`);
    expect(body.addresses).toMatchObject([
      { id: user.body.bill_address.id, default_bill: false },
      { id: made.body.id, default_bill: true },
    ]);
    await ann.put('/users/me', { user: { bill_address: { ...address, city: 'Olney' } } });
    const after = await ann.get('/users/me/addresses');
    expect(after.body.addresses.map((one: any) => [one.city, one.default_bill])).toEqual([
      ['Bethesda', false],
      ['Bethesda', false],
      ['Olney', true],
    ]);
  });

  test('are not doubled by a checkout to one of them', async () => {
    const customer = await aCustomer();
    const ann = api(customer);
    const address = { ...(await buildMarylandAddress()), default_bill: true, default_ship: true };
    const made = await ann.post('/users/me/addresses', { address });
    await orderInState('delivery', { caller: customer });
    const { body } = await ann.get('/users/me/addresses');
    expect(body.addresses.map((one: any) => one.id)).toContain(made.body.id);
    expect(body.addresses.length).toBeLessThanOrEqual(3);
  });

  test('and cards of others are invisible to customers, and changed by staff with the scope', async () => {
    const [ann, bob] = [await aCustomer(), await aCustomer()];
    const address = await buildMarylandAddress();
    const made = await api(ann).post('/users/me/addresses', { address });
    const { source_id } = await aCardPayment(await anOrderOf('10', { user_id: ann.id }));
    const [entry, card] = [`addresses/${made.body.id}`, `credit_cards/${source_id}`];
    for (const path of [
      `/users/${ann.id}/${entry}`,
      `/users/me/${entry}`,
      `/users/${ann.id}/${card}`,
      `/users/me/${card}`,
    ]) {
      expect((await api(bob).put(path, {})).status).toBe(404);
      expect((await api(bob).delete(path)).status).toBe(404);
    }
    const clerk = api(await aClerk(['customers:write']));
    expect((await clerk.put(`/users/${ann.id}/${entry}`, { address: { city: 'Olney' } })).status).toBe(200);
    expect((await clerk.get(`/users/${ann.id}/addresses`)).body.addresses).toHaveLength(1);
    const admin = await anAdmin();
    expect((await clerk.post(`/users/${admin.id}/addresses`, { address })).status).toBe(401);
    expect((await api(await aClerk(['customers:read'])).delete(`/users/${ann.id}/${entry}`)).status).toBe(
      404,
    );
    expect((await api(ann).delete(`/users/${ann.id}`)).status).toBe(204);
    expect(await testDb()('addresses').where({ id: made.body.id })).toEqual([]);
  });
});

describe('saved cards', () => {
  test('become the default and are deleted; payments keep them', async () => {
    const ann = await aCustomer();
    const cart = await anOrderOf('10', { user_id: ann.id });
    const first = await aCardPayment(cart);
    const second = await aCardPayment(await anOrderOf('10', { user_id: ann.id }));
    for (const { source_id } of [first, second]) {
      const reply = await api(ann).put(`/users/me/credit_cards/${source_id}`, {
        credit_card: { default: true },
      });
      expect(reply.body).toMatchObject({ id: source_id, default: true });
    }
    const listed = await api(ann).get('/users/me/credit_cards');
    expect(listed.body.credit_cards.map((card: any) => card.default)).toEqual([false, true]);
    expect((await api(ann).delete(`/users/me/credit_cards/${second.source_id}`)).status).toBe(204);
    expect((await api(ann).get('/users/me/credit_cards')).body.total_count).toBe(1);
    expect(await testDb()('credit_cards').where({ id: second.source_id })).toMatchObject([
      { user_id: null, is_default: false, last_digits: '1111' },
    ]);
    // Emptying a cart removes its payment, so that nothing needs the card.
    await (await asAdmin()).put(`/orders/${cart.number}/empty`);
    expect((await api(ann).delete(`/users/me/credit_cards/${first.source_id}`)).status).toBe(204);
    expect(await testDb()('credit_cards').where({ id: first.source_id })).toEqual([]);
  });

  test('the default card stays the default after an update of another card with default false or without changes', async () => {
    const ann = await aCustomer();
    const first = await aCardPayment(await anOrderOf('10', { user_id: ann.id }));
    const second = await aCardPayment(await anOrderOf('10', { user_id: ann.id }));
    const path = '/users/me/credit_cards';
    await api(ann).put(`${path}/${first.source_id}`, { credit_card: { default: true } });
    for (const changes of [{ default: false }, {}]) {
      const reply = await api(ann).put(`${path}/${second.source_id}`, { credit_card: changes });
      expect([reply.status, reply.body.default]).toEqual([200, false]);
    }
    const listed = (await api(ann).get(path)).body.credit_cards;
    expect(listed.map((card: any) => card.default)).toEqual([true, false]);
  });
});
