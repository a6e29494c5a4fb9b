import { anAdmin } from '../support/accounts.factory';
import { api } from '../support/api';
import { testDb } from '../support/database';
import { waitUntilBlockedBy } from '../support/locks';
import { aProduct, aVariant } from '../support/products.factory';
import { unique } from '../support/unique';

test('an update of a variant that is deleted while the update waits returns 404', async () => {
  const client = api(await anAdmin());
  const product = await aProduct();
  const variant = await aVariant(product);
  const change = await testDb().transaction(async (tx) => {
    await tx('products').where({ id: product.id }).forUpdate().first('id');
    const reply = client.put(`/variants/${variant.id}`, { variant: { sku: unique('late') } });
    await waitUntilBlockedBy(tx);
    await tx('variants').where({ id: variant.id }).update({ deleted_at: new Date() });
    return { reply };
  });
  expect((await change.reply).status).toBe(404);
  const row = await testDb()('variants').where({ id: variant.id }).first('sku');
  expect(row).toEqual({ sku: variant.sku });
});

describe('what variants lose is deleted after changes of their products, which lock it later', () => {
  async function aChosenValue(): Promise<{ product: { id: number }; type: number; value: number }> {
    const client = api(await anAdmin());
    const type = await client.post('/option_types', {
      option_type: {
        name: unique('size'),
        presentation: 'Size',
        option_values_attributes: [{ name: 'l', presentation: 'L' }],
      },
    });
    const value = type.body.option_values[0].id;
    const product = await aProduct();
    const variant = await client.post(`/products/${product.id}/variants`, {
      variant: { sku: unique('sized'), price: '5', option_value_ids: [value] },
    });
    expect(variant.status).toBe(201);
    return { product, type: type.body.id, value };
  }

  test.each([
    ['an option value', 'delete', (_type: number, value: number) => `/option_values/${value}`, undefined],
    ['an option type', 'delete', (type: number) => `/option_types/${type}`, undefined],
    ['a value of an option type', 'put', (type: number) => `/option_types/${type}`, { _destroy: true }],
  ] as const)('%s', async (_name, method, path, attributes) => {
    const client = api(await anAdmin());
    const { product, type, value } = await aChosenValue();
    const body = attributes && { option_type: { option_values_attributes: [{ id: value, ...attributes }] } };
    const { reply } = await testDb().transaction(async (tx) => {
      await tx('products').where({ id: product.id }).forNoKeyUpdate().first('id');
      const sent = client[method](path(type, value), body);
      await waitUntilBlockedBy(tx);
      // As a variant that gets the value would; without waiting, because the deletion waits for this transaction.
      await tx('option_values').where({ id: value }).forKeyShare().noWait().first('id');
      await tx('option_types').where({ id: type }).forKeyShare().noWait().first('id');
      return { reply: sent };
    });
    expect((await reply).status).toBeLessThan(300);
    expect(await testDb()('option_values').where({ id: value })).toEqual([]);
  });
});
