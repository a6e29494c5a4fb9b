import type { OtherNames } from '../platform/http/near-names';

/** Words of other shops, and the parameters that they may mean, the most probable first; for hints. */
const MEANINGS: readonly (readonly [words: readonly string[], meant: readonly string[]])[] = [
  // Wrappers of other formats
  [
    ['data', 'attributes', 'cart', 'basket'],
    ['order', 'product', 'variant', 'user', 'line_item', 'payment'],
  ],
  [
    ['customer', 'account'],
    ['user', 'user_id', 'email'],
  ],
  // Addresses
  [['zip', 'zip_code', 'postcode', 'post_code', 'postal_code', 'plz'], ['zipcode']],
  [['first', 'forename', 'given_name'], ['firstname']],
  [['last', 'surname', 'family_name'], ['lastname']],
  [
    ['name', 'full_name'],
    ['firstname', 'bill_address', 'presentation'],
  ],
  [
    ['street', 'street1', 'street_address', 'line1', 'address_1', 'address_line1', 'address'],
    ['address1', 'bill_address'],
  ],
  [['street2', 'line2', 'address_2', 'address_line2'], ['address2']],
  [['town', 'locality'], ['city']],
  [
    ['province', 'province_code', 'region', 'state_code', 'state_abbr'],
    ['state', 'state_name'],
  ],
  [
    ['country_code', 'country_iso', 'country_name'],
    ['country', 'country_id'],
  ],
  [['tel', 'telephone', 'phone_number', 'mobile'], ['phone']],
  [['organization', 'organisation', 'company_name'], ['company']],
  [['shipping_address', 'delivery_address', 'ship_to'], ['ship_address']],
  [['billing_address', 'invoice_address', 'bill_to'], ['bill_address']],
  [['same_address', 'same_as_billing', 'ship_to_billing'], ['use_billing']],
  // Orders
  [['items', 'products', 'lines', 'order_lines', 'order_items', 'cart_items'], ['line_items']],
  [
    ['item', 'line', 'order_line', 'cart_item'],
    ['line_item', 'line_items'],
  ],
  [
    ['qty', 'count', 'units', 'amount'],
    ['quantity', 'count_on_hand'],
  ],
  [
    ['product', 'product_id', 'variant', 'item_id', 'article_id'],
    ['variant_id', 'sku'],
  ],
  [['mail', 'e_mail', 'email_address', 'customer_email', 'login', 'username', 'user_name'], ['email']],
  [['coupon', 'code', 'promo', 'promo_code', 'promotion_code', 'discount_code', 'voucher'], ['coupon_code']],
  [
    ['note', 'notes', 'comment', 'instructions'],
    ['special_instructions', 'memo', 'description'],
  ],
  [
    ['shipping_rate_id', 'rate_id', 'shipping_method_id', 'shipping_method'],
    ['selected_shipping_rate_id', 'shipments_attributes'],
  ],
  [
    ['payments', 'payment', 'payment_method', 'payment_methods'],
    ['payments_attributes', 'payment_method_id'],
  ],
  [['shipments', 'shipment', 'delivery'], ['shipments_attributes']],
  [
    ['card', 'credit_card', 'source', 'payment_source_attributes'],
    ['source_attributes', 'payment_source'],
  ],
  [['tracking_number', 'tracking_code', 'track_number'], ['tracking']],
  [['total', 'sum', 'value'], ['amount']],
  // Cards
  [['cvv', 'cvc', 'security_code', 'verification'], ['verification_value']],
  [['exp_month', 'expiry_month'], ['month']],
  [['exp_year', 'expiry_year'], ['year']],
  [['card_number', 'pan'], ['number']],
  [['cardholder', 'holder', 'name_on_card'], ['name']],
  // Catalog and stock
  [
    ['title', 'label'],
    ['name', 'presentation'],
  ],
  [['body', 'text', 'body_html', 'summary'], ['description']],
  [
    ['handle', 'permalink', 'url_key', 'path'],
    ['slug', 'permalink'],
  ],
  [
    ['cost', 'unit_price', 'list_price', 'price_amount', 'regular_price'],
    ['price', 'cost_price'],
  ],
  [['published_at', 'available_at', 'active_from', 'publish_at'], ['available_on']],
  [
    ['category', 'category_id', 'categories', 'category_ids', 'collections', 'taxons'],
    ['taxon_ids', 'taxon', 'tax_category_id'],
  ],
  [
    ['options', 'option_value', 'option_values'],
    ['option_value_ids', 'options'],
  ],
  [['option_types', 'attributes_set'], ['option_type_ids']],
  [['stock', 'inventory', 'on_hand', 'quantity', 'inventory_quantity', 'stock_quantity'], ['count_on_hand']],
  [['location', 'location_id', 'warehouse', 'warehouse_id'], ['stock_location_id']],
  [['article_number', 'item_number', 'part_number'], ['sku']],
  [['image', 'file', 'picture'], ['attachment']],
  // Lists
  [['limit', 'size', 'page_size', 'pagesize', 'count', 'take'], ['per_page']],
  [['offset', 'skip', 'page_number'], ['page']],
  [['sort', 'sort_by', 'order', 'order_by'], ['q']],
  [
    ['query', 'term', 'filter', 'keyword', 'text'],
    ['search', 'q'],
  ],
];

/** Parameters by the names that other shops give them, for hints. */
export const OTHER_NAMES: OtherNames = collect();

function collect(): OtherNames {
  const names: Record<string, string[]> = {};
  for (const [words, meant] of MEANINGS) {
    for (const word of words) (names[word] ??= []).push(...meant);
  }
  return names;
}

const CART =
  'A cart is an order in the state cart: POST /api/v1/orders creates one, GET /api/v1/orders/current finds that of a customer.';
const SIGN_IN = 'POST /api/v1/sessions signs in, and its reply has the token.';
const SIGN_UP = 'POST /api/v1/users creates an account, and its reply has the token.';
const CUSTOMERS = 'Customers are users: /api/v1/users; GET /api/v1/users/me is the account of the token.';
const CATEGORIES =
  'Categories are taxons: GET /api/v1/taxons lists them, GET /api/v1/products?taxon=... the products of one.';
const STOCK = 'Stock is counted in stock items: GET /api/v1/stock_items?stock_location_id=... lists them.';
const SHIPMENTS = 'Deliveries are shipments: /api/v1/shipments, and `shipments` of an order.';
const SEARCH = 'GET /api/v1/products?search=... searches products.';
const COUPONS =
  'PUT /api/v1/orders/:number/apply_coupon_code applies a coupon code; codes are those of /api/v1/promotions.';
const REFUNDS =
  'PUT /api/v1/orders/:number/payments/:id/credit refunds a payment; GET /api/v1/orders/:number/refunds lists refunds.';
const RETURNS = 'Returns are return authorizations: /api/v1/orders/:number/return_authorizations.';
const ADDRESSES =
  'Addresses of an account are at /api/v1/users/me/addresses; those of an order are its bill_address and ship_address.';
const CHANGES =
  'GET /api/v1/events lists changes; lists are read with the parameters cursor and updated_since, as the guide /docs/guides/erp-in-step explains.';
const INVOICES =
  'Invoices and credit notes are documents: /api/v1/documents, and GET /api/v1/orders/:number/invoice.pdf.';
const CHECKOUT = 'PUT /api/v1/checkouts/:number/next takes an order to its next step.';
const PRICES = 'Prices belong to variants: PUT /api/v1/variants/:id, or POST /api/v1/bulk/prices for many.';
const ITEMS = 'The items of an order are at /api/v1/orders/:number/line_items.';
const DOCS = 'The reference is at /docs, the OpenAPI document at /api/v1/openapi.json.';
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
  ...sentences('DELETE /api/v1/sessions signs out.', 'logout', 'signout', 'sign_out'),
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
  ...sentences(SHIPMENTS, 'fulfillment', 'fulfillments', 'fulfilments', 'deliveries', 'parcels', 'shipping'),
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
  ...sentences(CHECKOUT, 'checkout', 'place_order', 'complete', 'confirm', 'submit', 'purchase'),
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
  ...sentences(
    'POST /api/v1/passwords mails a link that sets a new password.',
    'password',
    'reset_password',
    'forgot_password',
    'password_resets',
  ),
  ...sentences(
    'Settings are those of the store: /api/v1/stores; GET /api/v1/config has what a storefront needs.',
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
    'Shipping rates are in the shipments of an order from the step delivery on; methods: /api/v1/shipping_methods.',
    'shipping_rates',
    'rates',
    'shipping_options',
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
  ...sentences(
    'GET /api/v1/orders/mine lists the orders of a customer.',
    'my_orders',
    'order_history',
    'history',
  ),
  ...sentences(
    'Cards of a customer are at /api/v1/users/me/credit_cards; a payment of an order is made at /api/v1/orders/:number/payments.',
    'cards',
    'credit_cards',
    'charges',
    'transactions',
    'payment_intents',
  ),
};

function sentences(sentence: string, ...words: string[]): Record<string, string> {
  return Object.fromEntries(words.map((word) => [word, sentence]));
}
