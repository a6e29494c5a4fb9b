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
  'coupon_refused',
  'order_complete',
  'action_refused',
];
const CONTENTS: Codes = ['order_complete', 'insufficient_stock', 'action_refused'];
const ACTION: Codes = ['action_refused'];
const TRANSITION: Codes = ['cannot_transition', 'action_refused'];
const GATEWAY: Codes = ['action_refused', 'payment_declined', 'invalid_resource'];
const FILE: Codes = ['payload_too_large', 'unsupported_media_type'];

const PAYMENT = '/orders/:number/payments/:id';
const RETURN = '/orders/:number/return_authorizations/:id';
const SHIPMENT = '/shipments/:number';

/** The error codes that operations return besides those that follow from their access and input. */
export const errorCodes: Partial<Record<Route, Codes>> = {
  'post /sessions': ['invalid_credentials', 'two_factor_required', 'two_factor_invalid', 'rate_limited'],
  'put /passwords': ['two_factor_required', 'two_factor_invalid'],
  'post /products/:product_id/images': FILE,
  'put /products/:product_id/images/:id': FILE,
  'post /variants/:variant_id/images': FILE,
  'put /variants/:variant_id/images/:id': FILE,
  'delete /users/:id': ACTION,
  'delete /stores/:id': ACTION,
  'delete /zones/:id': ACTION,
  'delete /tax_categories/:id': ACTION,
  'delete /shipping_categories/:id': ACTION,
  'delete /stock_locations/:id': ACTION,
  'delete /return_authorization_reasons/:id': ACTION,
  'put /return_authorization_reasons/:id': ACTION,

  'post /orders': ['insufficient_stock'],
  'put /orders/:number': [
    'order_complete',
    'insufficient_stock',
    'coupon_refused',
    'cannot_transition',
    'action_refused',
  ],
  'put /orders/:number/empty': TRANSITION,
  'put /orders/:number/cancel': ['cannot_transition', 'payment_declined'],
  'put /orders/:number/resume': ['cannot_transition', 'insufficient_stock'],
  'put /orders/:number/approve': TRANSITION,
  'put /orders/:number/apply_coupon_code': ['coupon_refused', 'order_complete'],
  'put /orders/:number/remove_coupon_code': ['coupon_refused', 'order_complete'],
  'delete /orders/:number/coupon_codes/:code': ['order_complete'],
  'put /orders/:number/addresses/:id': ['order_complete'],
  'post /orders/:number/line_items': CONTENTS,
  'put /orders/:number/line_items/:id': CONTENTS,
  'delete /orders/:number/line_items/:id': CONTENTS,
  'post /orders/:number/adjustments': ACTION,
  'put /orders/:number/adjustments/:id': ACTION,
  'delete /orders/:number/adjustments/:id': ['action_refused', 'invalid_resource'],
  'put /checkouts/:number': CHECKOUT,
  'put /checkouts/:number/next': CHECKOUT,
  'put /checkouts/:number/advance': ['order_complete'],

  'post /orders/:number/payments': ['order_complete', 'action_refused'],
  [`put ${PAYMENT}`]: ['payment_not_updatable'],
  [`put ${PAYMENT}/authorize`]: GATEWAY,
  [`put ${PAYMENT}/capture`]: GATEWAY,
  [`put ${PAYMENT}/purchase`]: GATEWAY,
  [`put ${PAYMENT}/void`]: GATEWAY,
  [`put ${PAYMENT}/credit`]: ['action_refused', 'payment_declined', 'credit_over_limit', 'invalid_resource'],
  [`put ${PAYMENT}/settle`]: ['action_refused'],
  [`put ${PAYMENT}/confirm_action`]: ['payment_declined'],
  [`put ${PAYMENT}/cancel_action`]: ['payment_declined'],
  'put /payments/:id/confirm_action': ['payment_declined'],
  'put /payments/:id/cancel_action': ['payment_declined'],

  'post /shipments': ['insufficient_stock', 'action_refused'],
  'post /shipments/transfer_to_location': ['transfer_failed', 'insufficient_stock'],
  'post /shipments/transfer_to_shipment': ['transfer_failed', 'insufficient_stock'],
  [`put ${SHIPMENT}`]: ['order_complete', 'action_refused', 'insufficient_stock'],
  [`put ${SHIPMENT}/ready`]: ACTION,
  [`put ${SHIPMENT}/ship`]: ['action_refused', 'payment_declined'],
  [`put ${SHIPMENT}/cancel`]: ACTION,
  [`put ${SHIPMENT}/add`]: ['insufficient_stock', 'action_refused'],
  [`put ${SHIPMENT}/remove`]: ACTION,
  'put /inventory_units/:id': TRANSITION,

  'post /orders/:number/return_authorizations': TRANSITION,
  [`put ${RETURN}`]: ACTION,
  [`delete ${RETURN}`]: ACTION,
  'post /orders/:number/return_requests': ACTION,
  [`put ${RETURN}/approve`]: TRANSITION,
  [`put ${RETURN}/decline`]: TRANSITION,
  [`put ${RETURN}/add`]: TRANSITION,
  [`put ${RETURN}/receive`]: TRANSITION,
  [`put ${RETURN}/cancel`]: TRANSITION,
};
