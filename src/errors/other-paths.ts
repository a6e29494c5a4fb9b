const CART =
  'A cart is an order in the state cart: POST /api/v1/orders creates one, GET /api/v1/orders/current finds the cart of a customer.';
const SIGN_IN = 'POST /api/v1/sessions signs in, and its reply has the token.';
const SIGN_OUT = 'DELETE /api/v1/sessions signs out.';
const SIGN_UP = 'POST /api/v1/users creates an account, and its reply has the token.';
const CUSTOMERS = 'Customers are users: /api/v1/users; GET /api/v1/users/me is the account of the token.';
const CATEGORIES =
  'Categories are taxons: GET /api/v1/taxons lists them, GET /api/v1/products?taxon=... the products of one.';
const STOCK =
  'Stock is counted in stock items: GET /api/v1/stock_items?stock_location_id=... lists them. Products show in_stock, variants total_on_hand.';
const SHIPMENTS = 'Deliveries are shipments: /api/v1/shipments, and `shipments` of an order.';
const SEARCH = 'GET /api/v1/products?search=... searches products.';
const COUPONS =
  'PUT /api/v1/orders/:number/apply_coupon_code applies a coupon code; /api/v1/promotions has the codes.';
const REFUNDS =
  'PUT /api/v1/orders/:number/payments/:id/credit refunds a payment; GET /api/v1/orders/:number/refunds lists refunds.';
const RETURNS = 'Returns are return authorizations: /api/v1/orders/:number/return_authorizations.';
const ADDRESSES =
  'Addresses of an account are at /api/v1/users/me/addresses; an order has its own, bill_address and ship_address.';
const CHANGES =
  'GET /api/v1/events lists changes; lists are read with the parameters cursor and updated_since, as the guide /docs/guides/erp-in-step explains.';
const INVOICES =
  'Invoices and credit notes are documents: /api/v1/documents, and GET /api/v1/orders/:number/invoice.pdf.';
const CHECKOUT = 'PUT /api/v1/checkouts/:number/next takes an order to its next step.';
const PRICES = 'Prices belong to variants: PUT /api/v1/variants/:id, or POST /api/v1/bulk/prices for many.';
const ITEMS = 'The items of an order are at /api/v1/orders/:number/line_items.';
const DOCS = 'The reference is at /docs, the OpenAPI document at /api/v1/openapi.json.';
const REPORTS =
  'Figures of sales are reports: GET /api/v1/reports/sales; the others are taxes, products, refunds, payments and stock_value.';
const EXPORTS =
  'GET /api/v1/exports/products.csv exports products; the other files are stock, prices, customers, orders, line_items, movements and payments.';
const IMPORTS = 'POST /api/v1/imports reads a CSV file, with kind and file in a multipart body.';
const BULK =
  'Many records at once: POST /api/v1/bulk/stock, /api/v1/bulk/prices and /api/v1/bulk/shipments, or a CSV file with POST /api/v1/imports.';
const PASSWORDS = 'POST /api/v1/passwords mails a link that sets a new password.';
const HISTORY = 'GET /api/v1/orders/mine lists the orders of a customer.';
const COUNT = 'Every list has the number of its records in total_count.';
const ALL_PRODUCTS = 'GET /api/v1/products lists all products, page by page.';
const BEST_SELLERS =
  'GET /api/v1/products?q[s]=best_selling lists best sellers first, q[s]=newest new products.';
const PAYMENTS =
  'Cards of a customer are at /api/v1/users/me/credit_cards; a payment of an order is made at /api/v1/orders/:number/payments.';
const RELATED = 'GET /api/v1/products/:product_id/related lists related products.';
const STATES = 'GET /api/v1/countries/:country_id/states lists the states of a country.';
const API_TOKENS = 'API tokens belong to users: /api/v1/users/:id/tokens.';
const ORDERS_OF_USER =
  'GET /api/v1/orders?q[user_id_eq]=... lists the orders of a user, GET /api/v1/orders/mine the orders of the caller.';
const ORDER_ADDRESSES = 'PUT /api/v1/checkouts/:number sets bill_address and ship_address of an order.';
const SHIPPING_RATES =
  'Shipping rates are in the shipments of an order from the step delivery on; PUT /api/v1/checkouts/:number selects one with shipments_attributes.';
const CAPTURE = 'PUT /api/v1/orders/:number/payments/:id/capture captures a payment.';
const SHIP =
  'PUT /api/v1/shipments/:number/ship ships a parcel; the shipments of an order are in GET /api/v1/orders/:number.';
const TAXES = 'Taxes are tax rates of tax categories and zones: /api/v1/tax_rates.';

/** Where to find what other shops have at a path, by the words of the path. */
export const OTHER_PATHS: Readonly<Record<string, string>> = {
  ...sentences(CART, 'cart', 'carts', 'basket', 'baskets', 'bag'),
  ...sentences(
    SIGN_IN,
    'login',
    'signin',
    'sign_in',
    'auth',
    'token',
    'tokens',
    'oauth',
    'authenticate',
    'session',
  ),
  ...sentences(SIGN_OUT, 'logout', 'signout', 'sign_out'),
  ...sentences(SIGN_UP, 'register', 'signup', 'sign_up', 'registration', 'registrations'),
  ...sentences(CUSTOMERS, 'customer', 'customers', 'accounts', 'account', 'me', 'profile', 'members'),
  ...sentences(CATEGORIES, 'category', 'categories', 'collection', 'collections', 'departments'),
  ...sentences(STOCK, 'inventory', 'inventories', 'inventory_items', 'inventory_levels', 'stock', 'stocks'),
  ...sentences(
    'Warehouses are stock locations: /api/v1/stock_locations.',
    'location',
    'locations',
    'warehouse',
    'warehouses',
  ),
  ...sentences(SHIPMENTS, 'fulfillment', 'fulfillments', 'fulfilments', 'deliveries', 'parcels'),
  ...sentences(SEARCH, 'search', 'find', 'query'),
  ...sentences(
    COUPONS,
    'coupon',
    'coupons',
    'discount',
    'discounts',
    'vouchers',
    'promo_codes',
    'price_rules',
    'coupon_code',
  ),
  ...sentences(REFUNDS, 'refund', 'refunds', 'credits'),
  ...sentences(RETURNS, 'return', 'returns', 'rma', 'rmas'),
  ...sentences(ADDRESSES, 'address', 'addresses', 'address_book'),
  ...sentences(CHANGES, 'event', 'events', 'webhook', 'webhooks', 'changes', 'feed'),
  ...sentences(INVOICES, 'invoice', 'invoices', 'receipts', 'credit_notes'),
  ...sentences(CHECKOUT, 'checkout', 'place_order', 'place', 'complete', 'confirm', 'submit', 'purchase'),
  ...sentences(PRICES, 'price', 'prices', 'pricing'),
  ...sentences(
    ITEMS,
    'item',
    'items',
    'lines',
    'line_items',
    'lineitems',
    'line-items',
    'order_items',
    'add_item',
    'add',
  ),
  ...sentences(
    DOCS,
    'docs',
    'swagger',
    'swagger.json',
    'api-docs',
    'schema',
    'documentation',
    'redoc',
    'openapi.yaml',
    'openapi.json',
    '', // the API itself
  ),
  ...sentences(TAXES, 'tax', 'taxes', 'vat'),
  ...sentences(
    'Brands and similar attributes are taxons or properties: /api/v1/taxons, /api/v1/properties.',
    'brand',
    'brands',
    'manufacturers',
    'vendors',
    'tags',
  ),
  ...sentences('SKUs belong to variants: GET /api/v1/variants?q[sku_eq]=....', 'sku', 'skus', 'barcodes'),
  ...sentences(PASSWORDS, 'password', 'reset_password', 'forgot_password', 'password_resets'),
  ...sentences(
    'Settings belong to the store: /api/v1/stores; GET /api/v1/config has what a storefront needs.',
    'settings',
    'setting',
    'preferences',
    'configuration',
    'shop',
    'currencies',
  ),
  ...sentences(
    'GET /health/live and GET /health/ready report whether the store runs and serves requests.',
    'health',
    'healthz',
    'status',
    'ping',
    'ready',
  ),
  ...sentences(
    SHIPPING_RATES,
    'shipping_rates',
    'rates',
    'shipping_options',
    'shipping',
    'shipping_method',
    'select_shipping_method',
    'carriers',
  ),
  ...sentences(
    'Images belong to products and variants: /api/v1/products/:product_id/images.',
    'image',
    'images',
    'media',
    'photos',
    'assets',
  ),
  ...sentences(HISTORY, 'my_orders', 'order_history', 'history'),
  ...sentences(PAYMENTS, 'cards', 'credit_cards', 'charges', 'transactions', 'payment_intents', 'pay'),
  ...sentences(REPORTS, 'analytics', 'statistics', 'stats', 'dashboard', 'sales'),
  ...sentences('GET /metrics has the figures of the process, for Prometheus.', 'metrics', 'prometheus'),
  ...sentences(EXPORTS, 'export', 'download', 'products.csv', 'orders.csv', 'customers.csv', 'users.csv'),
  ...sentences(IMPORTS, 'upload', 'uploads', 'csv'),
  ...sentences(BULK, 'batch', 'batches'),
  ...sentences(RELATED, 'recommendations', 'similar', 'upsells', 'cross_sells', 'related_products'),
  ...sentences(STATES, 'states', 'regions', 'provinces'),
  ...sentences(API_TOKENS, 'api_tokens', 'api_keys', 'apikeys', 'access_tokens'),
  ...sentences(
    'GET /api/v1/audit_log lists what staff have changed.',
    'audit',
    'audit_logs',
    'logs',
    'activity',
  ),
  ...sentences('Rights are scopes of roles: /api/v1/roles.', 'permissions', 'rights', 'groups'),
  ...sentences('Webhooks are at /api/v1/webhooks.', 'hooks', 'subscriptions', 'notifications'),
  ...sentences(ORDERS_OF_USER, 'orders'),
  ...sentences(
    ORDER_ADDRESSES,
    'shipping_address',
    'billing_address',
    'delivery_address',
    'ship_address',
    'bill_address',
  ),
  ...sentences(CAPTURE, 'capture'),
  ...sentences(SHIP, 'ship', 'fulfill', 'fulfil', 'dispatch'),
  ...sentences('This is a REST API. The reference is at /docs.', 'graphql', 'soap', 'rpc'),
};

/** What a word means in other shops in the place of an id, by the first word of the path. */
export const OTHER_RECORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  products: {
    ...sentences(SEARCH, 'search', 'find', 'query', 'filter'),
    ...sentences(COUNT, 'count'),
    ...sentences(ALL_PRODUCTS, 'all', 'list', 'index'),
    ...sentences(
      BEST_SELLERS,
      'featured',
      'popular',
      'best_sellers',
      'bestsellers',
      'latest',
      'new_arrivals',
    ),
    ...sentences(CATEGORIES, 'categories', 'category'),
    ...sentences(BULK, 'bulk', 'batch'),
    ...sentences(IMPORTS, 'import', 'upload'),
    ...sentences(EXPORTS, 'export'),
  },
  variants: { ...sentences(COUNT, 'count'), ...sentences(BULK, 'bulk', 'batch') },
  orders: {
    ...sentences('GET /api/v1/orders?search=... searches orders, for staff.', 'search', 'find', 'query'),
    ...sentences(COUNT, 'count'),
    ...sentences(CART, 'cart', 'basket'),
    ...sentences(HISTORY, 'history', 'me', 'my', 'latest', 'last'),
    ...sentences(EXPORTS, 'export'),
  },
  users: {
    ...sentences(SIGN_IN, 'login', 'signin', 'sign_in', 'auth', 'token', 'session'),
    ...sentences(SIGN_OUT, 'logout', 'sign_out'),
    ...sentences(SIGN_UP, 'register', 'signup', 'sign_up'),
    ...sentences(PASSWORDS, 'password', 'forgot_password', 'reset_password'),
    ...sentences(CUSTOMERS, 'profile', 'current', 'self', 'account'),
  },
};

function sentences(sentence: string, ...words: string[]): Record<string, string> {
  return Object.fromEntries(words.map((word) => [word, sentence]));
}
