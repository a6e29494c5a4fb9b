/** What /docs/errors says about a code. */
export interface ErrorText {
  status: number;
  cause: string;
  cure: string;
}

/**
 * The values of the header X-Error-Code. Clients branch on them, so a code is never renamed or given another meaning;
 * new ones may be added.
 */
export const ERROR_CODES = {
  bad_request: {
    status: 400,
    cause:
      'The body is not a valid JSON object or not a valid form, is nested too deeply, or a header is malformed.',
    cure: 'Correct the syntax. For JSON, X-Error-Hint has the line and column of the first error.',
  },
  invalid_api_key: {
    status: 401,
    cause: 'The API token in X-Store-Token is unknown, expired or revoked.',
    cure: 'Sign in again, or create a new API token.',
  },
  invalid_credentials: {
    status: 401,
    cause: 'E-mail address and password do not match an account.',
    cure: 'Correct them. The response does not reveal which of them is wrong.',
  },
  two_factor_required: {
    status: 401,
    cause: 'The password is right, and the account has two-factor sign-in.',
    cure: 'Repeat the request with `otp`: the code of the authenticator app, or a recovery code.',
  },
  two_factor_invalid: {
    status: 401,
    cause: 'The code of the second factor is wrong, or was used before.',
    cure: 'Wait for the next code of the app, or use another recovery code.',
  },
  two_factor_setup_required: {
    status: 401,
    cause: 'The store requires two-factor sign-in of staff (`require_two_factor`), and the account has none.',
    cure: 'Set it up with POST and PUT /users/me/two_factor. API tokens are not affected.',
  },
  not_authorized: {
    status: 401,
    cause: 'The caller may not perform the action, or is not identified.',
    cure: 'Send an API token with sufficient rights in X-Store-Token; for the order of a guest, its token in X-Order-Token.',
  },
  payment_not_updatable: {
    status: 403,
    cause: 'The payment is neither in the state checkout nor pending.',
    cure: 'Create another payment, or use the actions of the payment.',
  },
  not_found: {
    status: 404,
    cause: 'The record does not exist, was deleted, or is not visible to the caller.',
    cure: 'Check the id, number or slug, and the token.',
  },
  route_unknown: {
    status: 404,
    cause: 'No endpoint has this path.',
    cure: 'Compare the path with the reference. X-Error-Hint has a similar path, if there is one.',
  },
  method_unknown: {
    status: 404,
    cause: 'The path exists, but not for this method.',
    cure: 'Use a method that the header Allow lists.',
  },
  request_timeout: {
    status: 408,
    cause: 'The request did not arrive completely in time, or the server stops.',
    cure: 'Retry the request.',
  },
  conflict: {
    status: 409,
    cause: 'Another request is changing the record.',
    cure: 'Retry after the number of seconds in Retry-After.',
  },
  request_running: {
    status: 409,
    cause: 'The first request with this Idempotency-Key is still running.',
    cure: 'Retry with the same key after the number of seconds in Retry-After.',
  },
  reply_lost: {
    status: 409,
    cause:
      'The first request with this Idempotency-Key was carried out and interrupted before its reply, which this version of the store cannot rebuild.',
    cure: 'Read the record, which shows the effect. The same request with another key would be carried out again.',
  },
  precondition_failed: {
    status: 412,
    cause: 'The record has changed since the ETag in If-Match was read, or has no ETag.',
    cure: 'Read the record again and repeat the change.',
  },
  payload_too_large: {
    status: 413,
    cause: 'The body or the file exceeds the limit.',
    cure: 'Send at most 1 MiB of JSON, or a file of at most 10 MiB.',
  },
  invalid_resource: {
    status: 422,
    cause: 'One or more attributes are missing or invalid.',
    cure: 'Correct the attributes that `errors` names.',
  },
  unsupported_media_type: {
    status: 415,
    cause: 'The body was not read because its Content-Type is missing or unsupported.',
    cure: 'Send Content-Type: application/json, a form, or multipart/form-data for files.',
  },
  cannot_transition: {
    status: 422,
    cause: 'The state of the order does not allow the action, or a condition is not met.',
    cure: 'Correct what `errors` names, or read the state of the order first.',
  },
  order_complete: {
    status: 422,
    cause: 'The order is complete; only the store can change it.',
    cure: 'Contact the store, or change the order with the token of an administrator.',
  },
  insufficient_stock: {
    status: 422,
    cause: 'There is less stock than requested.',
    cure: 'Lower the quantity or remove the line item.',
  },
  payment_missing: {
    status: 422,
    cause: 'The order needs a payment before it can advance.',
    cure: 'Add a payment with one of the `payment_methods` of the order.',
  },
  payment_declined: {
    status: 422,
    cause: 'The payment provider declined the payment or the action.',
    cure: 'Pay by another card or method. `error` has the message of the provider.',
  },
  payment_action_required: {
    status: 422,
    cause:
      'The bank of the buyer asks for an action, such as a confirmation. The order stays in `confirm` and keeps its stock. `errors.payments` has the action.',
    cure: 'Let the buyer act (`requires_action`), then send PUT /payments/:id/confirm_action.',
  },
  payment_pending: {
    status: 422,
    cause: 'The provider has not decided yet. The order stays in `confirm` and keeps its stock.',
    cure: 'Read the order again later. It is completed or returns its stock when the provider has decided, or after the time that the store allows.',
  },
  credit_over_limit: {
    status: 422,
    cause: 'The credit exceeds what can still be refunded.',
    cure: 'Send an amount up to the one in `error`.',
  },
  coupon_refused: {
    status: 422,
    cause: 'The coupon code is unknown, expired, used up, or the order is not eligible.',
    cure: 'Read the message; most conditions can be met by changing the order.',
  },
  transfer_failed: {
    status: 422,
    cause: 'The units cannot be transferred.',
    cure: 'Check that the shipment has not shipped and the destination has the stock.',
  },
  action_refused: {
    status: 422,
    cause: 'The state of the record does not allow the action.',
    cure: 'Read the record; its state says which actions are possible.',
  },
  idempotency_key_reused: {
    status: 422,
    cause: 'The Idempotency-Key was sent with another request before.',
    cure: 'Use a new key for every different request.',
  },
  rate_limited: {
    status: 429,
    cause: 'Too many attempts.',
    cure: 'Retry after the number of seconds in Retry-After.',
  },
  headers_too_large: {
    status: 431,
    cause: 'The request headers are too large.',
    cure: 'Send fewer or shorter headers and a shorter query; put long parameters into the body.',
  },
  internal_error: {
    status: 500,
    cause: 'An unexpected error. It is in the log, with the id in X-Request-Id.',
    cure: 'Retry later, and report the id in X-Request-Id.',
  },
  overloaded: {
    status: 503,
    cause: 'The server has too many requests, or stops.',
    cure: 'Retry after the number of seconds in Retry-After.',
  },
  database_unavailable: {
    status: 503,
    cause: 'The database does not accept requests.',
    cure: 'Retry after the number of seconds in Retry-After.',
  },
  insufficient_storage: {
    status: 507,
    cause: 'There is no space for the uploaded file.',
    cure: 'Retry later, or ask the operator of the store to free disk space.',
  },
} as const satisfies Record<string, ErrorText>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Messages of the state machines that have a code of their own, wherever they occur in `errors`. */
export const SOLD = 'The order is complete and can only be changed by the store.';
export const OUT_OF_STOCK = 'Some line items in this order have insufficient quantity.';
export const NO_PAYMENT = 'No payment found';
export const NOT_AVAILABLE = 'is not available.';
