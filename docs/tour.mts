// The snippets of the tour in client/README.md. test/client/tour.slow.test.ts checks that both are the same and runs
// this file. Requires a store with the demo data: STORE=http://127.0.0.1:3000 ADMIN_TOKEN=...

// --- tour ---

import { createStoreClient, StoreError, unwrap, type Product } from 'store-api-client';

const baseUrl = process.env['STORE'] ?? 'http://127.0.0.1:3000';
const store = createStoreClient({ baseUrl });

// Every call returns `data` or `error`, typed by the operation. Error responses do not throw.
const { data: page, error } = await store.GET('/api/v1/products', {
  params: { query: { per_page: 3, q: { name_or_description_cont: 'mug', s: 'price desc' } } },
});
if (error) throw new Error(error.error);
console.log(page.total_count, page.products[0]?.display_price);

// Iterate over a whole list. Pages are fetched as needed:
let mug: Product | undefined;
for await (const product of store.each('/api/v1/products', { params: { query: { q: { s: 'id asc' } } } })) {
  if (product.name === 'Stoneware Mug') mug = product;
  if (mug) break;
}
const variant = mug?.has_variants ? mug.variants[0] : mug?.master;
if (!variant) throw new Error('this store has no mugs');

const created = await unwrap(store.POST('/api/v1/orders', { body: { order: { email: 'ann@example.com' } } }));
const cart = createStoreClient({ baseUrl, orderToken: created.token });
const path = { number: created.number };

await unwrap(
  cart.POST('/api/v1/orders/{number}/line_items', {
    params: { path },
    body: { line_item: { variant_id: variant.id, quantity: 2 } },
  }),
);

try {
  await unwrap(
    cart.POST('/api/v1/orders/{number}/line_items', {
      params: { path },
      body: { line_item: { variant_id: variant.id, quantity: -1 } },
    }),
  );
} catch (error) {
  if (!(error instanceof StoreError)) throw error;
  console.log(error.status, error.message, error.errors);
}

await unwrap(cart.PUT('/api/v1/checkouts/{number}/next', { params: { path } }));
const addressed = await unwrap(
  cart.PUT('/api/v1/checkouts/{number}', {
    params: { path },
    body: {
      order: {
        use_billing: true,
        bill_address: {
          firstname: 'Ann',
          lastname: 'Lee',
          phone: '207-555-0100',
          address1: '1 Harbour Street',
          city: 'Portland',
          zipcode: '04101',
          state: { abbr: 'ME' },
          country: { iso: 'US' },
        },
      },
    },
  }),
);

const [shipment] = addressed.shipments;
const fastest = shipment?.shipping_rates.at(-1);
if (!shipment || !fastest) throw new Error('the store does not ship to this address');
const chosen = await unwrap(
  cart.PUT('/api/v1/checkouts/{number}', {
    params: { path },
    body: {
      order: { shipments_attributes: [{ id: shipment.id, selected_shipping_rate_id: fastest.id }] },
    },
  }),
);

const method = chosen.payment_methods?.find(({ name }) => name === 'Credit Card');
if (!method) throw new Error('this store does not accept cards');
const card = {
  number: '4111111111111111',
  month: '12',
  year: '2035',
  verification_value: '123',
  name: 'Ann Lee',
};
await unwrap(
  cart.PUT('/api/v1/checkouts/{number}', {
    params: { path },
    body: {
      order: { payments_attributes: [{ payment_method_id: method.id }] },
      payment_source: { [method.id]: card },
    },
  }),
);
const order = await unwrap(cart.PUT('/api/v1/checkouts/{number}/next', { params: { path } }));
console.log(order.state, order.display_total);

const admin = createStoreClient({ baseUrl, token: process.env['ADMIN_TOKEN'] });

const { payments } = await unwrap(admin.GET('/api/v1/orders/{number}/payments', { params: { path } }));
const [payment] = payments;
if (!payment) throw new Error('the order has no payment');
const paymentPath = { ...path, id: payment.id };
const captured = await unwrap(
  admin.PUT('/api/v1/orders/{number}/payments/{id}/capture', { params: { path: paymentPath } }),
);

const parcel = await unwrap(
  admin.PUT('/api/v1/shipments/{number}/ship', {
    params: { path: { number: order.shipments[0]?.number ?? '' } },
    body: { shipment: { tracking: '1Z-5500' } },
  }),
);
console.log(captured.state, parcel.state);

const returns = await unwrap(
  admin.GET('/api/v1/orders/{number}/return_authorizations/new', { params: { path } }),
);
const { stock_locations: locations } = await unwrap(admin.GET('/api/v1/stock_locations'));
const [reason] = returns.return_authorization_reasons;
const [location] = locations;
if (!reason || !location) throw new Error('this store does not accept returns');
const authorization = await unwrap(
  admin.POST('/api/v1/orders/{number}/return_authorizations', {
    params: { path },
    body: {
      return_authorization: { stock_location_id: location.id, return_authorization_reason_id: reason.id },
    },
  }),
);
const returnPath = { ...path, id: authorization.id };
await unwrap(
  admin.PUT('/api/v1/orders/{number}/return_authorizations/{id}/add', {
    params: { path: returnPath },
    body: { variant_id: variant.id, quantity: 1 },
  }),
);
const received = await unwrap(
  admin.PUT('/api/v1/orders/{number}/return_authorizations/{id}/receive', { params: { path: returnPath } }),
);

const owed = await unwrap(cart.GET('/api/v1/orders/{number}', { params: { path } }));
await unwrap(admin.PUT('/api/v1/orders/{number}/payments/{id}/credit', { params: { path: paymentPath } }));
const settled = await unwrap(cart.GET('/api/v1/orders/{number}', { params: { path } }));
console.log(received.state, owed.payment_state, settled.payment_state);
