import { anAdmin, aCustomer } from '../../support/accounts.factory';
import { api } from '../../support/api';
import { testDb } from '../../support/database';
import { createOwnShop } from '../../support/own-shop';

describe('config', () => {
  test('returns the default country to everyone', async () => {
    const us = await testDb()('countries').where({ iso: 'US' }).first('id');
    for (const caller of [{}, await aCustomer(), await anAdmin()]) {
      const reply = await api(caller).get('/config.json');
      expect([reply.status, reply.body]).toEqual([200, { default_country_id: us.id }]);
    }
  });

  test('returns the money format', async () => {
    const reply = await api().get('/config/money');
    expect(reply.body).toEqual({
      symbol: '$',
      symbol_position: 'before',
      no_cents: false,
      decimal_mark: '.',
      thousands_separator: ',',
    });
  });

  test('returns what a storefront says of the store to everyone', async () => {
    const { name, currency, time_zone } = await testDb()('stores').where({ is_default: true }).first();
    const us = await testDb()('countries').where({ iso: 'US' }).first('id');
    for (const caller of [{}, await aCustomer()]) {
      const reply = await api(caller).get('/config/store');
      expect([reply.status, reply.body]).toEqual([
        200,
        { name, currency, time_zone, default_country_id: us.id },
      ]);
    }
  });

  test('follows the default store', async () => {
    const shop = await createOwnShop();
    try {
      const store = (await shop.admin.get('/stores')).body.stores.find((one: any) => one.is_default);
      const japan = await shop.db('countries').where({ iso: 'JP' }).first('id');
      const updateStore = (attributes: object) =>
        shop.admin.put(`/stores/${store.id}`, { store: attributes });
      await updateStore({ currency: 'JPY', default_country_id: japan.id });
      const shopper = api({}, shop.app);
      expect((await shopper.get('/config')).body).toEqual({ default_country_id: japan.id });
      expect((await shopper.get('/config/money')).body).toMatchObject({ symbol: '¥', no_cents: true });
      await updateStore({ currency: 'CHF', default_country_id: '' });
      expect((await shopper.get('/config')).body).toEqual({ default_country_id: null });
      expect((await shopper.get('/config/money')).body).toMatchObject({ symbol: 'CHF', no_cents: false });
    } finally {
      await shop.close();
    }
  });
});
