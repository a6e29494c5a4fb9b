import { address } from '../../docs-content/sample-customer';

/** Who sends a request: with no token, with that of the cart, or of an account. */
type Sender = 'guest' | 'cart' | 'at address' | 'at payment' | 'sold' | 'customer' | 'admin';

/**
 * A mistake that a newcomer makes, and what the reply must say: in the messages of its body, in X-Error-Hint, in Allow or in
 * X-Ignored-Parameters. `{names}` in paths and bodies stand for records of the test.
 */
export type Mistake = readonly [sender: Sender, request: string, body: object | string | null, says: RegExp];

const ADDRESS = { ...address, country: 'US', state: 'ME' };
const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(ADDRESS).filter(([name]) => !names.includes(name)));
const bill = (bill_address: object) => ({ order: { use_billing: true, bill_address } });
const item = (attributes: object) => ({ line_item: attributes });
const product = (attributes: object) => ({
  product: { name: 'Mug', price: '9', shipping_category_id: '{shipping_category}', ...attributes },
});

/** Says what is missing, and nothing of other records. */
const NOT_OF_ORDERS = /^(?![^]*hint: An order)[^]*can't be blank/;

/** Paths of other shops, and of this one with an error. */
const PATHS: readonly Mistake[] = [
  ['guest', 'GET /', null, /\/docs/],
  ['guest', 'GET /api/v1/categories', null, /taxons/],
  ['guest', 'GET /api/v1/category/mugs', null, /taxons/],
  ['guest', 'GET /api/v1/collections', null, /taxons/],
  ['guest', 'GET /api/v1/cart', null, /POST \/api\/v1\/orders.*orders\/current/],
  ['guest', 'POST /api/v1/carts', {}, /POST \/api\/v1\/orders/],
  ['guest', 'POST /api/v1/cart/items', {}, /POST \/api\/v1\/orders/],
  ['guest', 'GET /api/v1/basket', null, /POST \/api\/v1\/orders/],
  ['guest', 'POST /api/v1/login', {}, /POST \/api\/v1\/sessions/],
  ['guest', 'POST /api/v1/auth/login', {}, /POST \/api\/v1\/sessions/],
  ['guest', 'POST /api/v1/oauth/token', {}, /POST \/api\/v1\/sessions/],
  ['guest', 'POST /api/v1/signup', {}, /POST \/api\/v1\/users/],
  ['guest', 'POST /api/v1/register', {}, /POST \/api\/v1\/users/],
  ['customer', 'POST /api/v1/logout', {}, /DELETE \/api\/v1\/sessions/],
  ['guest', 'GET /api/v1/customers', null, /\/api\/v1\/users/],
  ['customer', 'GET /api/v1/me', null, /users\/me/],
  ['customer', 'GET /api/v1/account', null, /users\/me/],
  ['guest', 'GET /api/v1/search?q=mug', null, /products\?search=/],
  ['guest', 'GET /api/v1/products/search?q=mug', null, /not be found/],
  ['admin', 'GET /api/v1/inventory', null, /stock_items/],
  ['admin', 'GET /api/v1/inventory_levels', null, /stock_items/],
  ['admin', 'GET /api/v1/warehouses', null, /stock_locations/],
  ['admin', 'POST /api/v1/fulfillments', {}, /shipments/],
  ['admin', 'GET /api/v1/coupons', null, /promotions/],
  ['admin', 'POST /api/v1/discounts', {}, /promotions/],
  ['admin', 'GET /api/v1/refunds', null, /credit/],
  ['admin', 'POST /api/v1/orders/{sold}/refund', {}, /payments\/:id\/credit/],
  ['admin', 'GET /api/v1/returns', null, /return_authorizations/],
  ['admin', 'POST /api/v1/orders/{sold}/returns', {}, /return_authorizations/],
  ['customer', 'GET /api/v1/addresses', null, /users\/me\/addresses/],
  ['admin', 'GET /api/v1/changes', null, /events.*cursor/],
  ['admin', 'GET /api/v1/feed', null, /events.*cursor/],
  ['admin', 'GET /api/v1/invoices', null, /documents/],
  ['cart', 'POST /api/v1/orders/{cart}/checkout', {}, /PUT \/api\/v1\/checkouts\/:number\/next/],
  ['cart', 'POST /api/v1/checkout', {}, /PUT \/api\/v1\/checkouts\/:number\/next/],
  ['cart', 'POST /api/v1/orders/{cart}/items', {}, /orders\/:number\/line_items/],
  ['cart', 'POST /api/v1/orders/{cart}/add_item', {}, /orders\/:number\/line_items/],
  ['cart', 'POST /api/v1/orders/{cart}/coupon', {}, /apply_coupon_code/],
  ['cart', 'POST /api/v1/orders/{cart}/complete', {}, /checkouts\/:number\/next/],
  ['admin', 'GET /api/v1/settings', null, /stores/],
  ['guest', 'GET /api/v1/brands', null, /properties/],
  ['guest', 'GET /api/v1/healthz', null, /health\/ready/],
  ['guest', 'GET /swagger', null, /\/docs/],
  ['guest', 'GET /api/v1/docs', null, /reference is at \/docs/],
  ['guest', 'GET /api/v1/product', null, /\/api\/v1\/products\./],
  ['guest', 'GET /api/v1/order/{cart}', null, /\/api\/v1\/orders\/:number\./],
  ['guest', 'GET /api/v1/order', null, /\/api\/v1\/orders\./],
  ['guest', 'GET /api/v1/prodcuts', null, /\/api\/v1\/products\./],
  ['guest', 'GET /api/products', null, /\/api\/v1\/products\./],
  ['guest', 'GET /products', null, /\/api\/v1\/products\./],
  ['guest', 'GET /api/v2/products', null, /\/api\/v1\/products\./],
  ['guest', 'GET /api/v1/lineItems', null, /orders\/:number\/line_items/],
  ['cart', 'POST /api/v1/orders/{cart}/lineItems', {}, /line_items/],
  ['cart', 'POST /api/v1/orders/{cart}/line-items', {}, /line_items/],
  ['guest', 'GET /api/v1/stock-locations', null, /stock_locations/],
  ['guest', 'GET /api/v1/tax', null, /tax_rates/],
];

/** Methods that a path does not have. */
const METHODS: readonly Mistake[] = [
  ['cart', 'POST /api/v1/orders/{cart}/empty', {}, /PATCH, PUT/],
  ['cart', 'POST /api/v1/checkouts/{cart}/next', {}, /PATCH, PUT/],
  ['sold', 'POST /api/v1/orders/{sold}/cancel', {}, /PATCH, PUT/],
  ['admin', 'PUT /api/v1/products', {}, /GET, HEAD, POST/],
  ['admin', 'DELETE /api/v1/orders', null, /GET, HEAD, POST/],
  ['admin', 'POST /api/v1/products/{product}', {}, /DELETE, GET, HEAD, PATCH, PUT/],
  ['guest', 'GET /api/v1/sessions', null, /DELETE, POST/],
  ['cart', 'POST /api/v1/orders/{cart}/apply_coupon_code', {}, /PATCH, PUT/],
];

/** Tokens in the wrong place, and rights. */
const ACCESS: readonly Mistake[] = [
  ['guest', 'GET /api/v1/orders/{cart}', null, /X-Order-Token/],
  ['guest', 'GET /api/v1/users/me', null, /X-Store-Token/],
  ['guest', 'POST /api/v1/products', { product: { name: 'Mug' } }, /X-Store-Token/],
  ['customer', 'GET /api/v1/orders', null, /orders\/mine/],
  ['customer', 'GET /api/v1/users', null, /users\/me/],
  ['cart', 'GET /api/v1/orders/{other}', null, /X-Order-Token does not permit/],
  [
    'guest',
    'POST /api/v1/sessions',
    { email: 'nobody@example.com', password: 'wrong' },
    /E-?mail|email or password/i,
  ],
  [
    'guest',
    'POST /api/v1/sessions',
    { user: { email: 'a@example.com', password: 'x' } },
    /hint: The attributes are sent at the top of the body/,
  ],
  ['guest', 'POST /api/v1/users', { user: { password: 'correct horse battery' } }, NOT_OF_ORDERS],
  [
    'guest',
    'POST /api/v1/users',
    { user: { email: 'no address', password: 'correct horse battery' } },
    /such as ann@example\.com/,
  ],
  ['guest', 'POST /api/v1/users', { user: { email: 'ann@example.com', password: 'short' } }, /too short/],
  [
    'guest',
    'POST /api/v1/users',
    { user: { username: 'ann', password: 'correct horse battery' } },
    /did you mean `email`/,
  ],
];

/** Carts and line items. */
const CARTS: readonly Mistake[] = [
  [
    'cart',
    'POST /api/v1/orders/{cart}/line_items',
    item({ product_id: '{product}', quantity: 1 }),
    /`variant_id`/,
  ],
  ['cart', 'POST /api/v1/orders/{cart}/line_items', item({ variantId: '{variant}' }), /`variant_id`/],
  ['cart', 'POST /api/v1/orders/{cart}/line_items', item({ variant: '{variant}' }), /`variant_id`/],
  ['cart', 'POST /api/v1/orders/{cart}/line_items', { lineItem: { variant_id: '{variant}' } }, /`line_item`/],
  ['cart', 'POST /api/v1/orders/{cart}/line_items', { item: { variant_id: '{variant}' } }, /`line_item`/],
  [
    'cart',
    'POST /api/v1/orders/{cart}/line_items',
    [{ variant_id: '{variant}' }],
    /hint: The body is a JSON object/,
  ],
  ['cart', 'POST /api/v1/orders/{cart}/line_items', item({ variant_id: 999999 }), /no variant on sale/],
  [
    'cart',
    'POST /api/v1/orders/{cart}/line_items',
    item({ variant_id: '{variant}', quantity: 0 }),
    /quantity|greater/,
  ],
  [
    'cart',
    'POST /api/v1/orders/{cart}/line_items',
    item({ variant_id: '{variant}', quantity: -1 }),
    /greater than or equal/,
  ],
  [
    'cart',
    'POST /api/v1/orders/{cart}/line_items',
    item({ variant_id: '{variant}', quantity: 'two' }),
    /hint: Send a whole number/,
  ],
  [
    'cart',
    'POST /api/v1/orders/{cart}/line_items',
    item({ variant_id: '{variant}', quantity: 1.5 }),
    /whole number/,
  ],
  [
    'cart',
    'POST /api/v1/orders/{cart}/line_items',
    item({ variant_id: '{variant}', quantity: 11 }),
    /At most 10 are available/,
  ],
  [
    'cart',
    'POST /api/v1/orders/{cart}/line_items',
    item({ variant_id: '{untracked}', quantity: 20001 }),
    /at most 20000 units.*at most 1999\d/,
  ],
  [
    'cart',
    'POST /api/v1/orders/{cart}/line_items',
    item({ variant_id: '{variant}', qty: 2 }),
    /line_item\.qty/,
  ],
  [
    'cart',
    'POST /api/v1/orders/{cart}/line_items',
    item({ variant_id: '{variant}', price: '1' }),
    /line_item\.price/,
  ],
  ['guest', 'POST /api/v1/orders', { order: { items: [{ variant_id: '{variant}' }] } }, /order\.items/],
  ['guest', 'POST /api/v1/orders', { order: { line_items: [{ product_id: '{product}' }] } }, /`variant_id`/],
  ['guest', 'POST /api/v1/orders', { order: { line_items: [{ variant_id: 999999 }] } }, /line_items\.0/],
  ['guest', 'POST /api/v1/orders', { order: { email: 'ann' } }, /such as ann@example\.com/],
  ['guest', 'POST /api/v1/orders', { customer: { email: 'ann@example.com' } }, /customer/],
  ['cart', 'PUT /api/v1/orders/{cart}', { order: { total: '1' } }, /order\.total/],
  ['cart', 'PUT /api/v1/orders/{cart}', { order: { shipping: 'fast' } }, /order\.shipping/],
  ['cart', 'PUT /api/v1/orders/{cart}/apply_coupon_code', {}, /coupon/i],
  [
    'cart',
    'PUT /api/v1/orders/{cart}/apply_coupon_code',
    { code: 'WELCOME10' },
    /did you mean `coupon_code`/,
  ],
  [
    'cart',
    'PUT /api/v1/orders/{cart}/apply_coupon_code',
    { coupon: 'WELCOME10' },
    /did you mean `coupon_code`/,
  ],
  [
    'cart',
    'PUT /api/v1/orders/{cart}/apply_coupon_code',
    { coupon_code: 'NOTHING' },
    /doesn't exist|not found|does not exist/,
  ],
  ['cart', 'PUT /api/v1/orders/{cart}/line_items/999999', item({ quantity: 1 }), /line_item|not be found/],
  ['customer', 'GET /api/v1/orders/1', null, /not be found/],
];

/** Steps of the checkout. */
const CHECKOUT: readonly Mistake[] = [
  ['at address', 'PUT /api/v1/checkouts/{at address}/next', null, /needs an e-mail address before/],
  [
    'at address',
    'PUT /api/v1/checkouts/{at address}',
    bill({ ...without('zipcode'), zip: '04101' }),
    /`zipcode`/,
  ],
  [
    'at address',
    'PUT /api/v1/checkouts/{at address}',
    bill({ ...without('zipcode'), zip: '04101' }),
    /"email":\["can't be blank"\]/,
  ],
  [
    'at address',
    'PUT /api/v1/checkouts/{at address}',
    bill({ ...without('zipcode'), postal_code: '04101' }),
    /`zipcode`/,
  ],
  [
    'at address',
    'PUT /api/v1/checkouts/{at address}',
    bill({ ...without('firstname', 'lastname'), name: 'Ann Lee' }),
    /`firstname`/,
  ],
  [
    'at address',
    'PUT /api/v1/checkouts/{at address}',
    bill({ ...without('address1'), street: '1 Harbour Street' }),
    /`address1`/,
  ],
  [
    'at address',
    'PUT /api/v1/checkouts/{at address}',
    bill({ ...without('address1'), line1: '1 Harbour Street' }),
    /`address1`/,
  ],
  [
    'at address',
    'PUT /api/v1/checkouts/{at address}',
    bill({ ...without('address1'), address: '1 Harbour Street' }),
    /`address1`/,
  ],
  [
    'at address',
    'PUT /api/v1/checkouts/{at address}',
    bill({ ...without('phone'), telephone: '1' }),
    /`phone`/,
  ],
  [
    'at address',
    'PUT /api/v1/checkouts/{at address}',
    bill({ ...without('state'), province: 'ME' }),
    /`state`/,
  ],
  [
    'at address',
    'PUT /api/v1/checkouts/{at address}',
    bill({ ...without('country'), country_code: 'US' }),
    /`country`/,
  ],
  [
    'at address',
    'PUT /api/v1/checkouts/{at address}',
    bill({ ...ADDRESS, country: 'Atlantis' }),
    /ISO code such as "US"/,
  ],
  ['at address', 'PUT /api/v1/checkouts/{at address}', bill(without('country')), /ISO code such as "US"/],
  [
    'at address',
    'PUT /api/v1/checkouts/{at address}',
    bill({ ...ADDRESS, state: 'XX' }),
    /abbreviation such as "ME"/,
  ],
  ['at address', 'PUT /api/v1/checkouts/{at address}', bill(without('state')), /abbreviation such as "ME"/],
  [
    'at address',
    'PUT /api/v1/checkouts/{at address}',
    bill({ ...ADDRESS, zipcode: 'K1A 0B1' }),
    /04101 in the US/,
  ],
  [
    'at address',
    'PUT /api/v1/checkouts/{at address}',
    { order: { billing_address: ADDRESS } },
    /`bill_address`/,
  ],
  ['at address', 'PUT /api/v1/checkouts/{at address}', { bill_address: {} }, /bill_address\.firstname/],
  [
    'at address',
    'PUT /api/v1/checkouts/{at address}',
    { order: { email: 'ann@' } },
    /such as ann@example\.com/,
  ],
  ['at payment', 'PUT /api/v1/checkouts/{at payment}/next', null, /payment_methods/],
  [
    'at payment',
    'PUT /api/v1/checkouts/{at payment}',
    { order: { payments_attributes: [{ payment_method: 'card' }] } },
    /payment_method_id|payment_methods/,
  ],
  [
    'at payment',
    'PUT /api/v1/checkouts/{at payment}',
    { order: { payments_attributes: [{ payment_method_id: 999999 }] } },
    /payment_methods/,
  ],
  [
    'at payment',
    'POST /api/v1/orders/{at payment}/payments',
    { payment: { amount: '1' } },
    /payment_methods|payment_method/,
  ],
  [
    'at payment',
    'POST /api/v1/orders/{at payment}/payments',
    { paymentMethodId: '{card}' },
    /`payment_method_id`/,
  ],
  ['sold', 'PUT /api/v1/orders/{sold}', { order: { email: 'new@example.com' } }, /administrator/],
  ['sold', 'POST /api/v1/orders/{sold}/line_items', item({ variant_id: '{variant}' }), /administrator/],
  ['sold', 'PUT /api/v1/checkouts/{sold}/next', null, /state-machines/],
  [
    'sold',
    'PUT /api/v1/orders/{sold}/apply_coupon_code',
    { coupon_code: 'X' },
    /complete|administrator|exist/,
  ],
  [
    'customer',
    'POST /api/v1/users/me/addresses',
    { address: { ...without('zipcode'), zip: '04101' } },
    /`zipcode`/,
  ],
  [
    'customer',
    'POST /api/v1/users/me/addresses',
    { address: { ...ADDRESS, country_id: 'Atlantis' } },
    /ISO code such as "US"/,
  ],
];

/** Lists, filters and sorting. */
const LISTS: readonly Mistake[] = [
  ['guest', 'GET /api/v1/products?limit=5', null, /limit/],
  ['guest', 'GET /api/v1/products?per_page=all', null, /per_page/],
  ['guest', 'GET /api/v1/products?offset=10', null, /offset/],
  ['guest', 'GET /api/v1/products?sort=price', null, /sort/],
  ['guest', 'GET /api/v1/products?q=mug', null, /\bq\b/],
  ['guest', 'GET /api/v1/products?q[title_cont]=mug', null, /title_cont/],
  ['guest', 'GET /api/v1/products?q[name]=mug', null, /"?name"?/],
  ['guest', 'GET /api/v1/products?q[s]=colour', null, /\bs\b|colour/],
  ['guest', 'GET /api/v1/products?name=mug', null, /name/],
  ['guest', 'GET /api/v1/products?price_min=cheap', null, /decimal point/],
  ['guest', 'GET /api/v1/products?option=red', null, /option\[color\]=/],
  ['guest', 'GET /api/v1/products?facets=colour', null, /facets\.colour/],
  ['guest', 'GET /api/v1/products?fields=id,title', null, /fields\.title/],
  ['guest', 'GET /api/v1/products/999999', null, /not be found/],
  ['admin', 'GET /api/v1/variants?updated_since=yesterday', null, /ISO 8601/],
  ['admin', 'GET /api/v1/variants?cursor=abc', null, /next_cursor/],
  ['admin', 'GET /api/v1/reports/sales?from=soon', null, /ISO 8601|from/],
  ['admin', 'GET /api/v1/reports/sales?group_by=year', null, /group_by/],
];

/** Records that staff write. */
const RECORDS: readonly Mistake[] = [
  ['admin', 'POST /api/v1/products', { name: '' }, /name/],
  [
    'admin',
    'POST /api/v1/products',
    { product: { title: 'Mug', price: '9', shipping_category_id: '{shipping_category}' } },
    /`name`/,
  ],
  ['admin', 'POST /api/v1/products', { product: { name: 'Mug', price: '9' } }, /shipping_categories/],
  ['admin', 'POST /api/v1/products', product({ price: '$9.00' }), /decimal point/],
  ['admin', 'POST /api/v1/products', product({ price: '9,00' }), /decimal point/],
  ['admin', 'POST /api/v1/products', product({ price: -1 }), /greater than or equal/],
  ['admin', 'POST /api/v1/products', product({ available_on: 'tomorrow' }), /ISO 8601/],
  ['admin', 'POST /api/v1/products', product({ shipping_category_id: 'Default' }), /shipping_categories/],
  ['admin', 'POST /api/v1/products', product({ tax_category_id: 999999 }), /tax_categories/],
  ['admin', 'POST /api/v1/products', product({ taxon_ids: [999999] }), /taxons/],
  ['admin', 'POST /api/v1/products', product({ option_type_ids: [999999] }), /option_types/],
  ['admin', 'POST /api/v1/products', product({ categories: [1] }), /product\.categories/],
  ['admin', 'POST /api/v1/products', '{"product": {"name": "Mug",}}', /line 1, column/],
  [
    'admin',
    'POST /api/v1/products/{product}/variants',
    { variant: { options: [{ name: 'Size' }] } },
    /option/,
  ],
  [
    'admin',
    'POST /api/v1/products/{product}/variants',
    { variant: { option_value_ids: [999999] } },
    /option_values/,
  ],
  ['admin', 'PUT /api/v1/products/{product}', { product: { slug: '{other slug}' } }, /send another one/],
  [
    'admin',
    'POST /api/v1/stock_locations',
    { stock_location: { name: 'Depot', country_id: 'Atlantis' } },
    /ISO code such as "US"|lists the ids of countries/,
  ],
  ['admin', 'POST /api/v1/stock_locations', { stock_location: { title: 'Depot' } }, /`name`/],
  [
    'admin',
    'POST /api/v1/zones',
    { zone: { name: 'North', zone_members: [{ zoneable_type: 'Country', zoneable_id: 'XX' }] } },
    /zoneable_id": "US"/,
  ],
  ['admin', 'POST /api/v1/tax_rates', { tax_rate: { amount: '19%', zone_id: 1 } }, /"0\.19" for 19 %/],
  [
    'admin',
    'POST /api/v1/users',
    { user: { email: '{taken email}', password: 'correct horse battery' } },
    /Another record|taken/,
  ],
  ['admin', 'POST /api/v1/bulk/stock', { items: [] }, /rows/],
  ['admin', 'POST /api/v1/bulk/prices', { rows: [{ sku: 'none', price: '1' }] }, /sku|not/],
  ['admin', 'POST /api/v1/imports', { kind: 'products' }, /-F file=@/],
  [
    'admin',
    'POST /api/v1/products/{product}/images',
    { url: 'https://example.com/a.png' },
    /image\[attachment\]=@/,
  ],
];

export const MISTAKES: readonly Mistake[] = [
  ...PATHS,
  ...METHODS,
  ...ACCESS,
  ...CARTS,
  ...CHECKOUT,
  ...LISTS,
  ...RECORDS,
];
