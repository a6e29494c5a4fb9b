import { api } from '../support/api';
import { testDb } from '../support/database';

describe('config', () => {
  test('names the country that forms preset, to everybody', async () => {
    const reply = await api().get('/config.json');
    const us = await testDb()('countries').where({ iso: 'US' }).first('id');
    expect([reply.status, reply.body]).toEqual([200, { default_country_id: us.id }]);
  });

  test('says how amounts are written', async () => {
    const reply = await api().get('/config/money');
    expect(reply.body).toEqual({
      symbol: '$',
      symbol_position: 'before',
      no_cents: false,
      decimal_mark: '.',
      thousands_separator: ',',
    });
  });
});
