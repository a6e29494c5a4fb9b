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
    ['firstname', 'bill_address', 'property_name', 'presentation'],
  ],
  [
    ['street', 'street1', 'street_address', 'line1', 'address_1', 'address_line1', 'address'],
    ['address1', 'bill_address', 'url'],
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
  [['total', 'sum', 'value', 'rate', 'percent', 'percentage'], ['amount']],
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
  // Webhooks and roles
  [['endpoint', 'callback', 'callback_url', 'target', 'target_url', 'uri'], ['url']],
  [['topic', 'topics', 'event', 'event_types', 'types'], ['events']],
  [['permissions', 'rights', 'abilities'], ['scopes']],
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
