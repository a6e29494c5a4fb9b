import type { Actor } from './actor';
import { NotAuthorized } from '../platform/errors';

/**
 * Who may call an endpoint, decided before any record is loaded (behaviour reference 2):
 * - anyone: everyone, including guests; visibility rules decide what they see
 * - signed_in: any user
 * - admin: admins; others are rejected before the record is loaded
 * - order: the order's owner, the holder of its token, and admins; checked on the loaded order (authorization.ts)
 * - self: the user in the path, and admins; for others the user does not exist
 * - admin_within: admins; if the parent record is not visible, 404 takes precedence. The use case checks this
 */
export type Access = 'anyone' | 'signed_in' | 'admin' | 'order' | 'self' | 'admin_within';

/** The endpoints below an order. */
const orderParts = {
  'put /orders/:number/empty': 'order',
  'put /orders/:number/cancel': 'order',
  'put /orders/:number/approve': 'admin',
  'put /orders/:number/apply_coupon_code': 'order',
  'put /orders/:number/remove_coupon_code': 'order',
  'delete /orders/:number/coupon_codes/:code': 'order',
  'get /orders/:number/history': 'order',
  'get /orders/:number/line_items/new': 'order',
  'post /orders/:number/line_items': 'order',
  'put /orders/:number/line_items/:id': 'order',
  'delete /orders/:number/line_items/:id': 'order',
  'get /orders/:number/addresses/:id': 'order',
  'put /orders/:number/addresses/:id': 'order',
  'get /orders/:number/payments': 'order',
  'get /orders/:number/payments/new': 'order',
  'post /orders/:number/payments': 'order',
  'get /orders/:number/payments/:id': 'order',
  'put /orders/:number/payments/:id': 'admin',
  'put /orders/:number/payments/:id/authorize': 'admin',
  'put /orders/:number/payments/:id/capture': 'admin',
  'put /orders/:number/payments/:id/purchase': 'admin',
  'put /orders/:number/payments/:id/void': 'admin',
  'put /orders/:number/payments/:id/credit': 'admin',
  'get /orders/:number/return_authorizations': 'admin',
  'get /orders/:number/return_authorizations/new': 'admin',
  'get /orders/:number/return_authorizations/:id': 'admin',
  'post /orders/:number/return_authorizations': 'admin',
  'put /orders/:number/return_authorizations/:id': 'admin',
  'put /orders/:number/return_authorizations/:id/add': 'admin',
  'put /orders/:number/return_authorizations/:id/receive': 'admin',
  'put /orders/:number/return_authorizations/:id/cancel': 'admin',
  'delete /orders/:number/return_authorizations/:id': 'admin',
} as const satisfies Record<`${string} /orders/:number/${string}`, Access>;

type CheckoutRoute<R> = R extends `${infer Verb} /orders/${infer Rest}`
  ? `${Verb} /checkouts/${Rest}`
  : never;

/** The same endpoints below /checkouts/:number, with the same access (behaviour reference 12.1). */
const checkoutParts = Object.fromEntries(
  Object.entries(orderParts).map(([route, access]) => [underCheckouts(route), access]),
) as { [R in keyof typeof orderParts as CheckoutRoute<R>]: (typeof orderParts)[R] }; // Object.fromEntries loses the types of the keys

/** The access of every endpoint. An endpoint without a row does not compile. */
export const policy = {
  'get /products': 'anyone',
  'get /products/new': 'anyone',
  'get /products/:id': 'anyone',
  'post /products': 'admin',
  'put /products/:id': 'admin',
  'delete /products/:id': 'admin',

  'get /variants': 'anyone',
  'get /variants/new': 'anyone',
  'get /variants/:id': 'anyone',
  'post /variants': 'admin',
  'put /variants/:id': 'admin',
  'delete /variants/:id': 'admin',
  'get /products/:product_id/variants': 'anyone',
  'get /products/:product_id/variants/new': 'anyone',
  'get /products/:product_id/variants/:id': 'anyone',
  'post /products/:product_id/variants': 'admin',
  'put /products/:product_id/variants/:id': 'admin',
  'delete /products/:product_id/variants/:id': 'admin',

  'get /products/:product_id/images': 'anyone',
  'get /products/:product_id/images/new': 'anyone',
  'get /products/:product_id/images/:id': 'anyone',
  'post /products/:product_id/images': 'admin',
  'put /products/:product_id/images/:id': 'admin',
  'delete /products/:product_id/images/:id': 'admin',
  'get /variants/:variant_id/images': 'anyone',
  'get /variants/:variant_id/images/new': 'anyone',
  'get /variants/:variant_id/images/:id': 'anyone',
  'post /variants/:variant_id/images': 'admin',
  'put /variants/:variant_id/images/:id': 'admin',
  'delete /variants/:variant_id/images/:id': 'admin',

  'get /option_types': 'anyone',
  'get /option_types/new': 'anyone',
  'get /option_types/:id': 'anyone',
  'post /option_types': 'admin',
  'put /option_types/:id': 'admin',
  'delete /option_types/:id': 'admin',
  'get /option_values': 'anyone',
  'get /option_values/new': 'anyone',
  'get /option_values/:id': 'anyone',
  'post /option_values': 'admin',
  'put /option_values/:id': 'admin',
  'delete /option_values/:id': 'admin',
  'get /option_types/:option_type_id/option_values': 'anyone',
  'get /option_types/:option_type_id/option_values/new': 'anyone',
  'get /option_types/:option_type_id/option_values/:id': 'anyone',
  'post /option_types/:option_type_id/option_values': 'admin',
  'put /option_types/:option_type_id/option_values/:id': 'admin',
  'delete /option_types/:option_type_id/option_values/:id': 'admin',

  'get /products/:product_id/product_properties': 'anyone',
  'get /products/:product_id/product_properties/new': 'anyone',
  'get /products/:product_id/product_properties/:id': 'anyone',
  'post /products/:product_id/product_properties': 'admin_within',
  'put /products/:product_id/product_properties/:id': 'admin_within',
  'delete /products/:product_id/product_properties/:id': 'admin_within',
  'get /properties': 'anyone',
  'get /properties/new': 'anyone',
  'get /properties/:id': 'anyone',
  'post /properties': 'admin',
  'put /properties/:id': 'admin',
  'delete /properties/:id': 'admin',

  'get /taxonomies': 'anyone',
  'get /taxonomies/new': 'anyone',
  'get /taxonomies/:id': 'anyone',
  'get /taxonomies/:id/jstree': 'anyone',
  'post /taxonomies': 'admin',
  'put /taxonomies/:id': 'admin',
  'delete /taxonomies/:id': 'admin',
  'get /taxonomies/:taxonomy_id/taxons': 'anyone',
  'get /taxonomies/:taxonomy_id/taxons/new': 'anyone',
  'get /taxonomies/:taxonomy_id/taxons/:id': 'anyone',
  'get /taxonomies/:taxonomy_id/taxons/:id/jstree': 'anyone',
  'post /taxonomies/:taxonomy_id/taxons': 'admin',
  'put /taxonomies/:taxonomy_id/taxons/:id': 'admin',
  'delete /taxonomies/:taxonomy_id/taxons/:id': 'admin',
  'get /taxons': 'anyone',
  'get /taxons/products': 'anyone',
  'put /classifications': 'admin',

  'get /countries': 'anyone',
  'get /countries/:id': 'anyone',
  'get /countries/:country_id/states': 'anyone',
  'get /countries/:country_id/states/:id': 'anyone',
  'get /states': 'anyone',
  'get /states/:id': 'anyone',
  'get /zones': 'anyone',
  'get /zones/new': 'anyone',
  'get /zones/:id': 'anyone',
  'post /zones': 'admin',
  'put /zones/:id': 'admin',
  'delete /zones/:id': 'admin',

  'get /tax_categories': 'admin',
  'get /tax_categories/new': 'admin',
  'get /tax_categories/:id': 'admin',
  'post /tax_categories': 'admin',
  'put /tax_categories/:id': 'admin',
  'delete /tax_categories/:id': 'admin',
  'get /tax_rates': 'admin',
  'get /tax_rates/new': 'admin',
  'get /tax_rates/:id': 'admin',
  'post /tax_rates': 'admin',
  'put /tax_rates/:id': 'admin',
  'delete /tax_rates/:id': 'admin',
  // Public, because products show their shipping category.
  'get /shipping_categories': 'anyone',
  'get /shipping_categories/new': 'anyone',
  'get /shipping_categories/:id': 'anyone',
  'post /shipping_categories': 'admin',
  'put /shipping_categories/:id': 'admin',
  'delete /shipping_categories/:id': 'admin',
  'get /shipping_methods': 'admin',
  'get /shipping_methods/new': 'admin',
  'get /shipping_methods/:id': 'admin',
  'post /shipping_methods': 'admin',
  'put /shipping_methods/:id': 'admin',
  'delete /shipping_methods/:id': 'admin',
  'get /payment_methods': 'admin',
  'get /payment_methods/new': 'admin',
  'get /payment_methods/:id': 'admin',
  'post /payment_methods': 'admin',
  'put /payment_methods/:id': 'admin',
  'delete /payment_methods/:id': 'admin',
  'get /return_authorization_reasons': 'admin',
  'get /return_authorization_reasons/new': 'admin',
  'get /return_authorization_reasons/:id': 'admin',
  'post /return_authorization_reasons': 'admin',
  'put /return_authorization_reasons/:id': 'admin',
  'delete /return_authorization_reasons/:id': 'admin',

  'get /stores': 'admin',
  'get /stores/new': 'admin',
  'get /stores/:id': 'admin',
  'post /stores': 'admin',
  'put /stores/:id': 'admin',
  'delete /stores/:id': 'admin',

  'get /promotions': 'admin',
  'get /promotions/new': 'admin',
  'get /promotions/:id': 'admin',
  'post /promotions': 'admin',
  'put /promotions/:id': 'admin',
  'delete /promotions/:id': 'admin',

  'get /users': 'admin',
  'get /users/new': 'anyone',
  'get /users/me': 'signed_in',
  'post /users': 'anyone',
  'get /users/:id': 'self',
  'put /users/:id': 'self',
  'delete /users/:id': 'self',
  'get /users/:id/credit_cards': 'self',
  'get /users/:id/tokens': 'self',
  'post /users/:id/tokens': 'self',
  'delete /users/:user_id/tokens/:id': 'self',
  'post /sessions': 'anyone',
  'delete /sessions': 'signed_in',

  'get /stock_locations': 'admin',
  'get /stock_locations/:id': 'admin',
  'post /stock_locations': 'admin',
  'put /stock_locations/:id': 'admin',
  'delete /stock_locations/:id': 'admin',
  'get /stock_locations/:stock_location_id/stock_items': 'admin',
  'get /stock_locations/:stock_location_id/stock_items/:id': 'admin',
  'post /stock_locations/:stock_location_id/stock_items': 'admin',
  'put /stock_locations/:stock_location_id/stock_items/:id': 'admin',
  'delete /stock_locations/:stock_location_id/stock_items/:id': 'admin',
  'get /stock_locations/:stock_location_id/stock_movements': 'admin',
  'get /stock_locations/:stock_location_id/stock_movements/:id': 'admin',
  'post /stock_locations/:stock_location_id/stock_movements': 'admin',
  'put /stock_locations/:stock_location_id/stock_movements/:id': 'admin',
  'get /stock_items': 'admin',
  'put /stock_items/:id': 'admin',
  'delete /stock_items/:id': 'admin',

  'get /orders': 'admin',
  'get /orders/mine': 'signed_in',
  'get /orders/current': 'signed_in',
  'post /orders': 'anyone',
  'get /orders/:number': 'order',
  'put /orders/:number': 'order',

  'put /checkouts/:number': 'order',
  'put /checkouts/:number/next': 'order',
  'put /checkouts/:number/advance': 'order',

  'get /payments': 'admin',

  'get /shipments/mine': 'signed_in',
  'post /shipments': 'admin',
  'post /shipments/transfer_to_location': 'admin',
  'post /shipments/transfer_to_shipment': 'admin',
  'put /shipments/:number': 'admin',
  'put /shipments/:number/ready': 'admin',
  'put /shipments/:number/ship': 'admin',
  'put /shipments/:number/add': 'admin',
  'put /shipments/:number/remove': 'admin',
  'get /inventory_units/:id': 'admin',
  'put /inventory_units/:id': 'admin',

  'get /config': 'anyone',
  'get /config/money': 'anyone',
  'get /openapi': 'anyone',

  ...orderParts,
  ...checkoutParts,
} as const satisfies Record<string, Access>;

export type Route = keyof typeof policy;

function underCheckouts(route: string): string {
  return route.replace(' /orders/:number/', ' /checkouts/:number/');
}

/** Returns the same route below /checkouts; null if the route is not below an order. */
export function checkoutTwin(route: Route): Route | null {
  return route in orderParts ? (underCheckouts(route) as Route) : null; // a key of checkoutParts
}

/**
 * Checks the access of a route before any record is loaded.
 * @throws NotAuthorized
 */
export function authorizeRoute(route: Route, actor: Actor): void {
  const access: Access = policy[route];
  if (access === 'admin' && actor.kind !== 'admin') throw new NotAuthorized();
  if (access === 'signed_in' && actor.kind === 'guest') throw new NotAuthorized();
}
