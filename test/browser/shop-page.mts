/** The script of the page of `npm run browser-check`, which uses only the built client. */
import { createStoreClient, unwrap, type UpdateOrderBody } from 'store-api-client';

export interface Bought {
  number: string;
  state: string;
  total: string;
}

const ADDRESS = {
  firstname: 'Ann',
  lastname: 'Lee',
  phone: '207-555-0100',
  address1: '1 Harbour Street',
  city: 'Portland',
  zipcode: '04101',
  state: { abbr: 'ME' },
  country: { iso: 'US' },
};
const CARD = {
  number: '4111111111111111',
  month: '12',
  year: '2035',
  verification_value: '123',
  name: 'Ann Lee',
};

/** Signs a customer up and buys as a guest, so that both tokens are sent across origins. */
export async function buy(baseUrl: string): Promise<Bought> {
  const shop = createStoreClient({ baseUrl });
  const user = await unwrap(
    shop.POST('/api/v1/users', { body: { user: { email: 'page@example.com', password: 'correct horse' } } }),
  );
  const customer = createStoreClient({ baseUrl, token: user.token });
  const { email } = await unwrap(customer.GET('/api/v1/users/me'));

  const { number, token } = await unwrap(shop.POST('/api/v1/orders', { body: { order: { email } } }));
  const cart = createStoreClient({ baseUrl, orderToken: token });
  const params = { path: { number } };
  const update = (body: UpdateOrderBody) => unwrap(cart.PUT('/api/v1/checkouts/{number}', { params, body }));

  const line_item = { variant_id: await firstInStock(baseUrl), quantity: 1 };
  await unwrap(cart.POST('/api/v1/orders/{number}/line_items', { params, body: { line_item } }));
  await unwrap(cart.PUT('/api/v1/checkouts/{number}/next', { params }));
  await update({ order: { use_billing: true, bill_address: ADDRESS } });
  const delivered = await unwrap(cart.PUT('/api/v1/checkouts/{number}/next', { params }));
  const method = delivered.payment_methods?.find(({ name }) => name === 'Credit Card');
  if (method === undefined) throw new Error(`no card is taken in the state ${delivered.state}`);
  await update({
    order: { payments_attributes: [{ payment_method_id: method.id }] },
    payment_source: { [method.id]: CARD },
  });
  const { state, display_total: total } = await unwrap(
    cart.PUT('/api/v1/checkouts/{number}/next', { params }),
  );
  return { number, state, total };
}

async function firstInStock(baseUrl: string): Promise<number> {
  const params = { query: { q: { s: 'id asc' } } } as const;
  for await (const product of createStoreClient({ baseUrl }).each('/api/v1/products', { params })) {
    const variant = [...product.variants, product.master].find(({ in_stock }) => in_stock);
    if (variant !== undefined) return variant.id;
  }
  throw new Error('nothing is in stock');
}
