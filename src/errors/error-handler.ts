import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import {
  CouponRefused,
  CreditOverLimit,
  GatewayFailed,
  InvalidApiKey,
  InvalidCredentials,
  PaymentNotUpdatable,
  TransferFailed,
} from './errors';
import {
  BadRequest,
  BLANK,
  Conflict,
  INVALID,
  InsufficientStorage,
  InvalidResource,
  NotAuthorized,
  NotFound,
  PreconditionFailed,
  Refused,
  RequestRunning,
  TAKEN,
  TooLarge,
  TooManyAttempts,
  TransitionRefused,
  Unavailable,
  type DomainError,
  type FieldErrors,
} from '../platform/errors';
import { isDatabaseUnavailable } from '../platform/database/outage';
import { isPgError, type PgError } from '../platform/database/pg-errors';

/** The HTTP response for an error. */
export interface ErrorReply {
  status: number;
  body:
    ({ error: string; errors?: FieldErrors } & Record<string, unknown>) | { success: false; message: string };
  retryAfterSeconds?: number;
  /** More headers, by name. */
  headers?: Record<string, string>;
}

const INVALID_RESOURCE = 'Invalid resource. Please fix errors and try again.';
const NOT_TRANSITIONED = 'The order could not be transitioned. Please fix the errors and try again.';

const buildPlainReply = (status: number, error: string): ErrorReply => ({ status, body: { error } });
const buildInvalidReply = (errors: FieldErrors): ErrorReply => ({
  status: 422,
  body: { error: INVALID_RESOURCE, errors },
});

/**
 * The field errors for violated database constraints. Services check these rules first where they can; constraints catch races
 * and rules that only the database can check.
 */
const CONSTRAINTS: Record<string, FieldErrors> = {
  tax_categories_name_unique: { name: [TAKEN] },
  tax_rates_zone_id_fkey: { zone_id: [INVALID] },
  shipping_categories_name_unique: { name: [TAKEN] },
  shipping_method_categories_category_fkey: { shipping_category_ids: [INVALID] },
  shipping_method_zones_zone_fkey: { zone_ids: [INVALID] },
  return_authorization_reasons_name_unique: { name: [TAKEN] },
  return_authorizations_reason_id_fkey: { reason: [BLANK] },
  products_slug_unique: { slug: [TAKEN] },
  products_shipping_category_id_fkey: { shipping_category_id: [INVALID] },
  products_tax_category_id_fkey: { tax_category_id: [INVALID] },
  variants_sku_unique: { sku: [TAKEN] },
  variants_tax_category_id_fkey: { tax_category_id: [INVALID] },
  variants_cost_currency_format: { cost_currency: [INVALID] },
  option_types_name_unique: { name: [TAKEN] },
  option_values_name_unique: { name: [TAKEN] },
  option_values_option_type_id_fkey: { option_type: [INVALID] },
  variant_option_values_option_value_id_fkey: { option_value_ids: [INVALID] },
  product_option_types_option_type_id_fkey: { option_type_ids: [INVALID] },
  properties_name_unique: { name: [TAKEN] },
  product_properties_property_unique: { property: [TAKEN] },
  classifications_taxon_id_fkey: { taxon_ids: [INVALID] },
  classifications_product_taxon_unique: { taxon_id: ['is already linked to this product'] },
  users_email_unique: { email: [TAKEN] },
  roles_name_unique: { name: [TAKEN] },
  user_roles_role_id_fkey: { roles: [INVALID] },
  stores_code_unique: { code: [TAKEN] },
  stores_default_country_id_fkey: { default_country_id: [INVALID] },
  zones_name_unique: { name: [TAKEN] },
  stock_items_location_variant_unique: { variant_id: [TAKEN] },
  stock_items_count_on_hand_owed: { count_on_hand: ['must be greater than or equal to 0'] },
  stock_locations_country_id_fkey: { country: [BLANK] },
  promotions_code_unique: { code: [TAKEN] },
  promotions_path_unique: { path: [TAKEN] },
  promotion_rule_products_product_id_fkey: { 'rules.product_ids': [INVALID] },
  promotion_rule_taxons_taxon_id_fkey: { 'rules.taxon_ids': [INVALID] },
  promotion_rule_users_user_id_fkey: { 'rules.user_ids': [INVALID] },
  orders_number_unique: { number: [TAKEN] },
  orders_user_id_fkey: { user_id: [INVALID] },
  stock_locations_state_id_fkey: { state: [INVALID] },
  shipments_number_unique: { number: [TAKEN] },
};

/** Maps an error to its response; null if the error is unexpected. No other code does this. */
export function buildErrorReply(error: unknown): ErrorReply | null {
  if (error instanceof NotFound)
    return buildPlainReply(404, 'The resource you were looking for could not be found.');
  if (error instanceof NotAuthorized)
    return buildPlainReply(401, 'You are not authorized to perform that action.');
  if (error instanceof InvalidApiKey)
    return buildPlainReply(401, `Invalid API key (${error.key.slice(0, 64)}) specified.`);
  if (error instanceof InvalidCredentials) return buildPlainReply(401, 'Invalid email or password.');
  if (error instanceof InvalidResource) return buildInvalidReply(error.errors);
  if (error instanceof TransitionRefused)
    return { status: 422, body: { error: NOT_TRANSITIONED, errors: error.errors } };
  if (error instanceof Refused) return buildPlainReply(422, error.message);
  if (error instanceof CouponRefused) {
    const { message, statusCode: status_code } = error;
    return { status: 422, body: { success: null, error: message, successful: false, status_code } };
  }
  if (error instanceof TransferFailed) {
    const message = 'There was an error transferring variants';
    return { status: 422, body: { success: false, message } };
  }
  if (error instanceof GatewayFailed)
    return buildPlainReply(422, `There was a problem with the payment gateway: ${error.message}`);
  if (error instanceof CreditOverLimit) {
    return buildPlainReply(
      422,
      `This payment can only be credited up to ${error.limit}. Please specify an amount less than or equal to this number.`,
    );
  }
  if (error instanceof PaymentNotUpdatable) {
    return buildPlainReply(403, `This payment cannot be updated because it is ${error.state}.`);
  }
  if (error instanceof BadRequest) return buildPlainReply(400, error.message);
  if (error instanceof PreconditionFailed) return buildPlainReply(412, error.message);
  if (error instanceof TooLarge) return buildPlainReply(413, 'The request is too large.');
  if (error instanceof RequestRunning)
    return { ...buildPlainReply(409, error.message), retryAfterSeconds: 1 };
  if (error instanceof Conflict) {
    return {
      ...buildPlainReply(409, 'Another request is changing this record. Please try again.'),
      retryAfterSeconds: 1,
    };
  }
  if (error instanceof TooManyAttempts) {
    return {
      ...buildPlainReply(429, 'Too many attempts. Please try again later.'),
      retryAfterSeconds: error.retryAfterSeconds,
      headers: {
        'RateLimit-Limit': String(error.limit.attempts),
        'RateLimit-Remaining': '0',
        'RateLimit-Reset': String(error.retryAfterSeconds),
        'RateLimit-Policy': `${error.limit.attempts};w=${error.limit.seconds}`,
      },
    };
  }
  if (error instanceof InsufficientStorage)
    return {
      ...buildPlainReply(507, 'There is not enough storage. Please try again later.'),
      retryAfterSeconds: 60,
    };
  if (error instanceof Unavailable)
    return { ...buildPlainReply(503, error.message), retryAfterSeconds: error.retryAfterSeconds };
  return buildLibraryErrorReply(error);
}

/** Maps an error of a library or of the database. */
function buildLibraryErrorReply(error: unknown): ErrorReply | null {
  if (isDatabaseUnavailable(error)) {
    return {
      ...buildPlainReply(503, 'The service is temporarily unavailable. Please try again.'),
      retryAfterSeconds: 1,
    };
  }
  if (isPgError(error)) return buildDatabaseReply(error);
  // Thrown by the router for a path with invalid percent-encoding, which no record can have.
  if (error instanceof URIError) return buildErrorReply(new NotFound());
  if (isHttpError(error)) return buildErrorReply(toDomainError(error.status));
  return null;
}

function buildDatabaseReply(error: PgError): ErrorReply | null {
  const errors = findConstraintErrors(error);
  return errors === null ? null : buildInvalidReply(errors);
}

/** Returns the field errors of a violated constraint; null for other errors and unknown constraints. */
export function findConstraintErrors(error: unknown): FieldErrors | null {
  if (!isPgError(error) || error.constraint === undefined) return null;
  return CONSTRAINTS[error.constraint] ?? null;
}

function isHttpError(error: unknown): error is Error & { status: number } {
  return (
    error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500
  );
}

/** Converts the status of a body parser's or the router's error to one of our errors. Its message is not exposed. */
function toDomainError(status: number): DomainError {
  if (status === 413) return new TooLarge();
  return status === 404 ? new NotFound() : new BadRequest();
}

/** Creates the middleware that responds to all errors with JSON. Unexpected errors return a generic 500. Causes of 5xx are logged. */
export function createErrorHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    const known = buildErrorReply(error);
    const reply = known ?? buildPlainReply(500, 'Something went wrong.');
    const line = { err: error, request_id: response.getHeader('x-request-id') };
    if (known === null) log.error(line, 'unexpected error');
    else if (reply.status >= 500) log.warn(line, 'request not served');
    if (response.headersSent) {
      next(error);
      return;
    }
    if (reply.retryAfterSeconds !== undefined)
      response.setHeader('Retry-After', String(reply.retryAfterSeconds));
    response.set({ ...reply.headers, 'Cache-Control': 'no-store' });
    response.status(reply.status).json(reply.body);
  };
}

/** Responds to unknown paths and methods with 404. */
export const notFoundHandler: RequestHandler = () => {
  throw new NotFound();
};
