/**
 * The types of the client. Never run: `npm run types` checks it, and fails for an expected error that does not occur.
 */
import { unwrap, type Order, type Product, type ProductsSearch, type StoreClient } from 'store-api-client';

export async function searches(store: StoreClient): Promise<void> {
  const search: ProductsSearch = {
    name_cont: 'mug',
    name_or_sku_start: 'mu',
    master_price_lteq: '20.00',
    id_in: [1, 2],
    available_on_gt: new Date(),
    description_present: true,
    master_track_inventory_true: true,
    s: ['master_price desc', 'name'],
    m: 'or',
  };
  await store.GET('/api/v1/products', { params: { query: { q: search, page: 2, ids: [1] } } });
  await store.GET('/api/v1/products', { params: { query: { 'q[name_cont]': 'mug', 'q[s]': 'name' } } });
  // @ts-expect-error -- no such attribute
  await store.GET('/api/v1/products', { params: { query: { q: { nome_cont: 'mug' } } } });
  // @ts-expect-error -- no such predicate
  await store.GET('/api/v1/products', { params: { query: { q: { name_like: 'mug' } } } });
  // @ts-expect-error -- a list belongs to `in`
  await store.GET('/api/v1/products', { params: { query: { q: { id_eq: [1] } } } });
  // @ts-expect-error -- a text has no `true` predicate
  await store.GET('/api/v1/products', { params: { query: { q: { name_true: true } } } });
  await store.GET('/api/v1/orders', { params: { query: { q: { metadata_contains: { erp_id: '1' } } } } });
  // @ts-expect-error -- JSON is not compared
  await store.GET('/api/v1/orders', { params: { query: { q: { metadata_eq: '{}' } } } });
  // @ts-expect-error -- lists are not sorted by JSON
  await store.GET('/api/v1/orders', { params: { query: { q: { s: 'metadata' } } } });
  // @ts-expect-error -- no such attribute to sort by
  await store.GET('/api/v1/products', { params: { query: { q: { s: 'nome' } } } });
  await store.GET('/api/v1/products', {
    params: { query: { option: { color: ['navy', 'red'], size: 'M' } } },
  });
  // @ts-expect-error -- no such parameter
  await store.GET('/api/v1/products', { params: { query: { perpage: 2 } } });
}

export async function operations(store: StoreClient): Promise<void> {
  const path = { number: 'R1' };
  await store.GET('/api/v1/products/{id}', { params: { path: { id: 1 } } });
  await store.GET('/api/v1/products/{id}', { params: { path: { id: 'mug' } } });
  // @ts-expect-error -- the path parameter is required
  await store.GET('/api/v1/products/{id}');
  // @ts-expect-error -- no such path
  await store.GET('/api/v1/goods');
  // @ts-expect-error -- no such method on the path
  await store.POST('/api/v1/countries', { body: {} });
  // @ts-expect-error -- the name is required
  await store.POST('/api/v1/products', { body: { product: { price: '1.00', shipping_category_id: 1 } } });
  // @ts-expect-error -- amounts are exact decimals in strings
  await store.PUT('/api/v1/products/{id}', { params: { path: { id: 1 } }, body: { product: { price: 1 } } });
  await store.PUT('/api/v1/checkouts/{number}', {
    params: { path },
    // @ts-expect-error -- a card is not a text
    body: { order: {}, payment_source: { 1: '4111111111111111' } },
  });
  await store.POST('/api/v1/products/{product_id}/images', {
    params: { path: { product_id: 'mug' } },
    body: { 'image[attachment]': new Blob([]), 'image[alt]': null },
  });
  await store.POST('/api/v1/products/{product_id}/images', {
    params: { path: { product_id: 'mug' } },
    // @ts-expect-error -- the file is required
    body: { 'image[alt]': 'A mug' },
  });
}

export async function replies(store: StoreClient): Promise<Product['price'] | undefined> {
  const { data, error } = await store.GET('/api/v1/orders/{number}', { params: { path: { number: 'R1' } } });
  // @ts-expect-error -- may be undefined if there is an error
  console.log(data.number);
  if (error !== undefined) throw new Error(error.error);
  // @ts-expect-error -- may be null: a guest's order has no user
  const userId: number = data.user_id;
  console.log(userId);
  const { data: page } = await store.GET('/api/v1/products');
  console.log(data.state satisfies Order['state']);
  return page?.products[0]?.price;
}

/** The states are unions, so that misspelled ones do not compile. */
export function states(order: Order): void {
  order.payment_state satisfies 'failed' | 'void' | 'balance_due' | 'credit_owed' | 'paid' | null;
  if (order.payment_state === 'credit_owed') console.log(order.number);
  // @ts-expect-error -- no such state
  if (order.payment_state === 'credit_owned') console.log(order.number);
  // @ts-expect-error -- no such state
  if (order.shipment_state === 'sent') console.log(order.number);
  // @ts-expect-error -- no such state
  if (order.state === 'completed') console.log(order.number);
  // @ts-expect-error -- no such state
  if (order.payments[0]?.state === 'complete') console.log(order.number);
  order.checkout_steps satisfies ('address' | 'delivery' | 'payment' | 'confirm' | 'complete')[];
  // @ts-expect-error -- no such kind of method
  if (order.payment_methods?.[0]?.method_type === 'card') console.log(order.number);
  // @ts-expect-error -- no such source
  if (order.adjustments[0]?.source_type === 'TaxRate') console.log(order.number);
}

export async function lists(store: StoreClient): Promise<void> {
  for await (const product of store.each('/api/v1/products')) console.log(product.slug satisfies string);
  for await (const variant of store.each('/api/v1/products/{product_id}/variants', {
    params: { path: { product_id: 1 }, query: { q: { sku_eq: 'MUG' } } },
  }))
    console.log(variant.is_master satisfies boolean);
  // @ts-expect-error -- the path parameter is required
  store.each('/api/v1/products/{product_id}/variants');
  // @ts-expect-error -- not a list
  store.each('/api/v1/products/{id}', { params: { path: { id: 1 } } });
  // @ts-expect-error -- a list without pages
  store.each('/api/v1/option_types');
  // @ts-expect-error -- `each` sets the page
  store.each('/api/v1/products', { params: { query: { page: 2 } } });
}

export async function files(store: StoreClient): Promise<void> {
  const { data: csv } = await store.GET('/api/v1/exports/products.csv');
  console.log(csv satisfies string | undefined);
  const { data: pdf } = await store.GET('/api/v1/orders/{number}/invoice.pdf', {
    params: { path: { number: 'R1' } },
  });
  console.log(pdf satisfies Blob | undefined);
}

export async function idOfAcceptedRequest(store: StoreClient): Promise<number> {
  return (await unwrap(store.POST('/api/v1/webhooks/{id}/test', { params: { path: { id: 1 } } }))).id;
}
