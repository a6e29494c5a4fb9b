import { anAdmin } from './accounts.factory';
import { api } from './api';
import { testDb } from './database';
import { unique } from './unique';

/** The id of the reference data's shipping category "Default". */
export async function defaultShippingCategoryId(): Promise<number> {
  const category = await testDb()('shipping_categories').where({ name: 'Default' }).first('id');
  return category.id;
}

/** A product made through the API by an admin, as its create reply shows it; on sale unless told otherwise. */
export async function aProduct(attributes: object = {}): Promise<any> {
  const reply = await api(await anAdmin()).post('/products', {
    product: {
      name: unique('Product'),
      price: '19.99',
      shipping_category_id: await defaultShippingCategoryId(),
      ...attributes,
    },
  });
  if (reply.status !== 201) throw new Error(`no product: ${reply.status} ${reply.text}`);
  return reply.body;
}

/** A variant of a product, as its create reply shows it. */
export async function aVariant(product: { id: number }, attributes: object = {}): Promise<any> {
  const reply = await api(await anAdmin()).post(`/products/${product.id}/variants`, { variant: attributes });
  if (reply.status !== 201) throw new Error(`no variant: ${reply.status} ${reply.text}`);
  return reply.body;
}
