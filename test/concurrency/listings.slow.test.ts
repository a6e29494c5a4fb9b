import { anAdmin, asAdmin } from '../support/accounts.factory';
import { api } from '../support/api';
import { expectNoViolations } from '../support/invariants';
import { aProduct, aVariant } from '../support/products.factory';
import { setStock, orderInState } from '../support/orders.factory';
import { unique } from '../support/unique';

const color = unique('color');

/** Changes everything that listings and search documents show of one product, all at once. */
test.each([1, 2, 3])('listings and search documents are those of their products, round %i', async (round) => {
  const admin = await asAdmin();
  const product = await aProduct({ price: '10' });
  const variants = [];
  for (const value of ['navy', 'red', 'green', 'blue', 'gold', 'gray'])
    variants.push(await aVariant(product, { price: '12', options: [{ name: color, value }] }));
  for (const { id } of variants.slice(0, 2)) await setStock(id, { stock: 1 });
  const taxonomy = (await admin.post('/taxonomies', { taxonomy: { name: unique('Kinds') } })).body;
  const orders = [];
  for (const { id } of variants.slice(0, 2))
    orders.push(await orderInState('confirm', { lines: [{ variant_id: id }] }));
  const path = `/products/${product.id}`;
  const { headers } = await admin.get(path);
  const { token } = await anAdmin();
  const ifMatch = api({ token, headers: { 'If-Match': String(headers['etag']) } });
  const replies = await Promise.all([
    ...variants.map(({ id }, place) =>
      admin.put(`/products/${product.slug}/variants/${id}`, {
        variant: { price: `${20 + place + round}`, sku: unique(`sku-${place}`) },
      }),
    ),
    ifMatch.put(path, { product: { name: unique('Name') } }),
    admin.put(path, { product: { taxon_ids: [taxonomy.root.id] } }),
    admin.put(path, { product: { available_on: '2026-02-03' } }),
    admin.post(`${path}/product_properties`, {
      product_property: { property_name: 'material', value: 'linen' },
    }),
    admin.delete(`/products/${product.slug}/variants/${variants[5].id}`),
    admin.put(path, { product: { description: unique('words') } }),
    ...orders.map((order) => admin.put(`/checkouts/${order.number}/next`)),
  ]);
  for (const { status } of replies) expect(status).toBeLessThan(500);
  await expectNoViolations();
});
