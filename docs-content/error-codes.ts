import type { ErrorCode } from '../src/errors/error-codes';
import type { Route } from '../src/platform/http/endpoint';

type Codes = readonly ErrorCode[];

/** Steps of the checkout. */
const CHECKOUT: Codes = [
  'cannot_transition',
  'insufficient_stock',
  'payment_missing',
  'payment_declined',
  'payment_action_required',
  'payment_pending',
  'payment_gateway_unavailable',
];
const CONTENTS: Codes = ['invalid_resource', 'order_complete', 'insufficient_stock'];
/** Deletions that the state of the record, or other records that use it, may not allow. */
const DELETION: Codes = ['invalid_resource'];
const TRANSITION: Codes = ['cannot_transition'];
const GATEWAY: Codes = ['payment_declined', 'payment_gateway_unavailable', 'invalid_resource'];
const FILE: Codes = ['payload_too_large', 'unsupported_media_type'];
const COUPON: Codes = ['coupon_refused', 'rate_limited'];
const PASSWORD: Codes = ['rate_limited'];

const PAYMENT = '/orders/:number/payments/:id';
const RETURN = '/orders/:number/return_authorizations/:id';
const SHIPMENT = '/shipments/:number';

/** The error codes that operations return besides those that follow from their access and input. */
export const errorCodes: Partial<Record<Route, Codes>> = {
  'post /sessions': ['invalid_credentials', 'two_factor_required', 'two_factor_invalid', 'rate_limited'],
  'post /users': PASSWORD,
  'put /users/me': PASSWORD,
  'put /users/:id': PASSWORD,
  'post /passwords': PASSWORD,
  'put /passwords': ['two_factor_required', 'two_factor_invalid', 'rate_limited'],
  'post /users/me/two_factor': PASSWORD,
  'put /users/me/two_factor': PASSWORD,
  'delete /users/me/two_factor': ['not_found', 'rate_limited'],
  'post /products/:product_id/images': FILE,
  'put /products/:product_id/images/:id': FILE,
  'post /variants/:variant_id/images': FILE,
  'put /variants/:variant_id/images/:id': FILE,
  'delete /users/:id': DELETION,
  'delete /roles/:id': DELETION,
  'delete /stores/:id': DELETION,
  'delete /zones/:id': DELETION,
  'delete /products/:product_id/variants/:id': DELETION,
  'delete /variants/:id': DELETION,
  'delete /taxonomies/:taxonomy_id/taxons/:id': DELETION,
  'delete /tax_categories/:id': DELETION,
  'delete /shipping_categories/:id': DELETION,
  'delete /stock_locations/:id': DELETION,
  'delete /return_authorization_reasons/:id': DELETION,
  'delete /imports/:id': ['action_refused'],
  'post /webhooks/:id/test': ['invalid_resource'],
  'get /variants': ['not_found'],
  'post /variants': ['not_found'],
  'get /taxons/products': ['not_found'],
  'put /classifications': ['not_found'],
  'get /stock_items': ['not_found', 'action_refused'],

  'post /orders': ['insufficient_stock', 'rate_limited'],
  'post /orders/lookup': ['rate_limited'],
  'put /orders/:number': [
    'order_complete',
    'insufficient_stock',
    'coupon_refused',
    'cannot_transition',
    'rate_limited',
  ],
  'put /orders/:number/empty': TRANSITION,
  'put /orders/:number/cancel': ['cannot_transition', 'payment_declined', 'payment_gateway_unavailable'],
  'put /orders/:number/resume': ['cannot_transition', 'insufficient_stock'],
  'put /orders/:number/approve': TRANSITION,
  'put /orders/:number/apply_coupon_code': COUPON,
  'put /orders/:number/remove_coupon_code': ['coupon_refused'],
  'delete /orders/:number/coupon_codes/:code': DELETION,
  'put /orders/:number/addresses/:id': ['order_complete'],
  'post /orders/:number/line_items': CONTENTS,
  'put /orders/:number/line_items/:id': CONTENTS,
  'delete /orders/:number/line_items/:id': ['invalid_resource', 'order_complete'],
  'delete /orders/:number/adjustments/:id': DELETION,
  'put /checkouts/:number': [...CHECKOUT, ...COUPON],
  'put /checkouts/:number/next': CHECKOUT,
  'put /checkouts/:number/advance': TRANSITION,

  [`put ${PAYMENT}`]: ['payment_not_updatable'],
  [`put ${PAYMENT}/authorize`]: GATEWAY,
  [`put ${PAYMENT}/capture`]: GATEWAY,
  [`put ${PAYMENT}/purchase`]: GATEWAY,
  [`put ${PAYMENT}/void`]: GATEWAY,
  [`put ${PAYMENT}/credit`]: [...GATEWAY, 'credit_over_limit'],
  [`put ${PAYMENT}/settle`]: ['payment_declined'],
  [`put ${PAYMENT}/confirm_action`]: ['payment_declined', 'rate_limited'],
  [`put ${PAYMENT}/cancel_action`]: ['payment_declined', 'rate_limited'],
  'put /payments/:id/confirm_action': ['payment_declined', 'rate_limited'],
  'put /payments/:id/cancel_action': ['payment_declined', 'rate_limited'],
  'post /gateways/:payment_method_id/events': ['not_authorized', 'rate_limited'],

  'get /shipments/packing_slips.pdf': ['not_found', 'invalid_resource'],
  'get /documents.zip': ['invalid_resource'],
  'post /shipments': ['not_found', 'insufficient_stock'],
  'post /shipments/transfer_to_location': ['not_found', 'transfer_failed'],
  'post /shipments/transfer_to_shipment': ['not_found', 'transfer_failed'],
  [`put ${SHIPMENT}`]: ['insufficient_stock'],
  [`put ${SHIPMENT}/ready`]: ['action_refused'],
  [`put ${SHIPMENT}/ship`]: ['action_refused', 'payment_declined', 'payment_gateway_unavailable'],
  [`put ${SHIPMENT}/cancel`]: ['action_refused'],
  [`put ${SHIPMENT}/add`]: ['insufficient_stock'],
  'put /inventory_units/:id': TRANSITION,

  [`delete ${RETURN}`]: DELETION,
  'post /orders/:number/return_requests': ['action_refused'],
  [`put ${RETURN}/approve`]: ['cannot_transition', 'invalid_resource'],
  [`put ${RETURN}/decline`]: TRANSITION,
  [`put ${RETURN}/add`]: TRANSITION,
  [`put ${RETURN}/receive`]: ['cannot_transition', 'invalid_resource'],
  [`put ${RETURN}/cancel`]: TRANSITION,
};
