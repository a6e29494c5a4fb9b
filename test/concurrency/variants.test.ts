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
