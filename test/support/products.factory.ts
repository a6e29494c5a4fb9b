import { asAdmin } from './accounts.factory';
import { testDb } from './database';
import { unique } from './unique';

/** Returns the id of the shipping category "Default" of the reference data. */
export async function getDefaultShippingCategoryId(): Promise<number> {
  const category = await testDb()('shipping_categories').where({ name: 'Default' }).first('id');
  return category.id;
}

/** Creates a product as an admin and returns the body of the reply; on sale by default. */
export async function aProduct(attributes: object = {}): Promise<any> {
  const reply = await (
    await asAdmin()
  ).post('/products', {
    product: {
      name: unique('Product'),
      price: '19.99',
      shipping_category_id: await getDefaultShippingCategoryId(),
      ...attributes,
    },
  });
  if (reply.status !== 201) throw new Error(`no product: ${reply.status} ${reply.text}`);
  return reply.body;
}

/** Creates a variant of a product and returns the body of the reply. */
export async function aVariant(
  product: { id: number; slug?: string },
  attributes: object = {},
): Promise<any> {
  // By slug: a product whose slug looks like this id would be found first.
  const reply = await (
    await asAdmin()
  ).post(`/products/${product.slug ?? product.id}/variants`, { variant: attributes });
  if (reply.status !== 201) throw new Error(`no variant: ${reply.status} ${reply.text}`);
  return reply.body;
}

/** Creates an option type with values of these names. */
export async function anOptionType(presentation: string, ...names: string[]): Promise<any> {
  const reply = await (
    await asAdmin()
  ).post('/option_types', {
    option_type: {
      name: unique(presentation),
      presentation,
      option_values_attributes: names.map((name) => ({ name, presentation: name })),
    },
  });
  if (reply.status !== 201) throw new Error(`no option type: ${reply.status} ${reply.text}`);
  return reply.body;
}

/** Adds units to the first stock item of a variant with a movement. */
export async function receiveStock(variantId: number, quantity: number): Promise<void> {
  const item = await testDb()('stock_items').where({ variant_id: variantId }).orderBy('id').first();
  const reply = await (
    await asAdmin()
  ).post(`/stock_locations/${item.stock_location_id}/stock_movements`, {
    stock_movement: { stock_item_id: item.id, quantity },
  });
  if (reply.status !== 201) throw new Error(`nothing received: ${reply.status} ${reply.text}`);
}
