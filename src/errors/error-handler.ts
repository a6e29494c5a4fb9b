import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Logger } from 'pino';
import { findConstraintErrors } from './constraint-errors';
import { ERROR_CODES, NO_PAYMENT, NOT_AVAILABLE, OUT_OF_STOCK, SOLD, type ErrorCode } from './error-codes';
import { buildHint, findRequestHint } from './error-hints';
import {
  GatewayUnavailable,
  CouponCodeRefused,
  CouponRefused,
  CreditOverLimit,
  GatewayFailed,
  InvalidApiKey,
  InvalidCredentials,
  PaymentDeclined,
  PaymentNotUpdatable,
  PaymentWaits,
  TransferFailed,
  TwoFactorInvalid,
  TwoFactorRequired,
  TwoFactorSetupRequired,
} from './errors';
import {
  BadRequest,
  BatchRefused,
  Conflict,
  DomainError,
  InsufficientStorage,
  InvalidResource,
  KeyReused,
  NotAuthorized,
  NotFound,
  PreconditionFailed,
  Refused,
  ReplyLost,
  RequestRunning,
  TooLarge,
  UnsupportedMediaType,
  TooManyAttempts,
  TransitionRefused,
  FilesUnavailable,
  Unavailable,
  UnknownMethod,
  UnknownRoute,
  type BatchResult,
  type FieldErrors,
} from '../platform/errors';
import { buildIgnoredParametersHeader } from '../platform/http/ignored-parameters';
import { ENCODINGS } from '../platform/http/read-body';
import { sendJson } from '../platform/http/reply';
import { getRequestNotes } from '../platform/http/request-notes';
import { isDatabaseUnavailable } from '../platform/database/outage';
import { isPgError } from '../platform/database/pg-errors';

/** The HTTP response for an error. */
export interface ErrorReply {
  status: number;
  body:
    | ({ error: string; errors?: Record<string, readonly unknown[]> } & Record<string, unknown>)
    | { success: false; message: string }
    | BatchResult;
  headers: Record<string, string>;
}

const INVALID_RESOURCE = 'Invalid resource. Please fix errors and try again.';
const NOT_TRANSITIONED = 'The order could not be transitioned. Please fix the errors and try again.';

const buildInvalidBody = (errors: FieldErrors) => ({ error: INVALID_RESOURCE, errors });

/** Maps an error to its response; null if the error is unexpected. No other code does this. */
export function buildErrorReply(error: unknown): ErrorReply | null {
  const ours = isHttpError(error) ? toDomainError(error) : error;
  const known = ours instanceof DomainError ? describe(ours) : describeLibraryError(ours);
  if (known === null) return null;
  const { status, code, body, headers } = known;
  const notes = getRequestNotes(error);
  const hint = buildHint(code, { own: ours instanceof DomainError ? ours.hint : null, notes, body });
  const ignored = buildIgnoredParametersHeader(notes?.ignored ?? []);
  return {
    status,
    body,
    headers: {
      'X-Error-Code': code,
      // A header is ASCII; a hint may name a product.
      ...(hint !== null && { 'X-Error-Hint': hint.replace(/[^\x20-\x7e]/g, '?') }),
      ...(ignored !== '' && { 'X-Ignored-Parameters': ignored }),
      ...headers,
    },
  };
}

interface Description {
  status: number;
  code: ErrorCode;
  body: ErrorReply['body'];
  headers?: Record<string, string>;
}

/** The status of a code is the one that the reference of the codes documents. */
function describeAs(code: ErrorCode, body: ErrorReply['body'], headers = {}): Description {
  return { status: ERROR_CODES[code].status, code, body, headers };
}

const retryAfter = (seconds: number) => ({ 'Retry-After': String(seconds) });

const MISSING = 'The resource you were looking for could not be found.';

type DomainErrorClass = abstract new (...given: never[]) => DomainError;

/** The errors whose body is one sentence, null for their own message. The first class that fits applies. */
const SENTENCES: readonly [DomainErrorClass, ErrorCode, string | null, headers?: Record<string, string>][] = [
  [UnknownRoute, 'route_unknown', MISSING],
  [NotFound, 'not_found', MISSING],
  [NotAuthorized, 'not_authorized', 'You are not authorized to perform that action.'],
  [InvalidCredentials, 'invalid_credentials', 'Invalid email or password.'],
  [TwoFactorRequired, 'two_factor_required', 'A two-factor code is required.'],
  [TwoFactorInvalid, 'two_factor_invalid', 'The two-factor code is invalid.'],
  [TwoFactorSetupRequired, 'two_factor_setup_required', 'Two-factor sign-in must be set up.'],
  [BadRequest, 'bad_request', null],
  [PreconditionFailed, 'precondition_failed', null],
  [UnsupportedMediaType, 'unsupported_media_type', 'The request body has an unsupported Content-Type.'],
  [TooLarge, 'payload_too_large', 'The request is too large.'],
  [KeyReused, 'idempotency_key_reused', null],
  [CouponCodeRefused, 'coupon_refused', null],
  [Refused, 'action_refused', null],
  [RequestRunning, 'request_running', null, retryAfter(1)],
  [ReplyLost, 'reply_lost', null],
  [Conflict, 'conflict', 'Another request is changing this record. Please try again.', retryAfter(1)],
  [
    InsufficientStorage,
    'insufficient_storage',
    'There is not enough storage. Please try again later.',
    retryAfter(60),
  ],
];

function describe(error: DomainError): Description | null {
  const described = describeWithValues(error) ?? describeRefusal(error);
  if (described !== null) return described;
  const [, code, sentence, headers] = SENTENCES.find(([kind]) => error instanceof kind) ?? [];
  return code === undefined ? null : describeAs(code, { error: sentence ?? error.message }, headers);
}

/** Describes the errors whose reply has values of the request. */
function describeWithValues(error: DomainError): Description | null {
  if (error instanceof UnknownMethod)
    return describeAs('method_unknown', { error: MISSING }, { Allow: error.allowed.join(', ') });
  if (error instanceof InvalidApiKey)
    return describeAs('invalid_api_key', { error: `Invalid API key (${error.shownKey}) specified.` });
  if (error instanceof InvalidResource)
    return describeAs(findFieldCode(error.errors) ?? 'invalid_resource', buildInvalidBody(error.errors));
  if (error instanceof BatchRefused) return describeAs('invalid_resource', error.result);
  if (error instanceof TooManyAttempts) {
    const body = { error: 'Too many attempts. Please try again later.' };
    return describeAs('rate_limited', body, {
      ...retryAfter(error.retryAfterSeconds),
      'RateLimit-Limit': String(error.limit.attempts),
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': String(error.retryAfterSeconds),
      'RateLimit-Policy': `${error.limit.attempts};w=${error.limit.seconds}`,
    });
  }
  if (error instanceof Unavailable) {
    const code =
      error instanceof GatewayUnavailable
        ? 'payment_gateway_unavailable'
        : error instanceof FilesUnavailable
          ? 'files_unavailable'
          : 'overloaded';
    return describeAs(code, { error: error.message }, retryAfter(error.retryAfterSeconds));
  }
  return null;
}

/** Describes the refusals that depend on the state of a record. */
function describeRefusal(error: DomainError): Description | null {
  if (error instanceof TransitionRefused) {
    const code =
      error instanceof PaymentDeclined
        ? 'payment_declined'
        : error instanceof PaymentWaits
          ? error.needsAction
            ? 'payment_action_required'
            : 'payment_pending'
          : (findFieldCode(error.errors) ?? 'cannot_transition');
    return describeAs(code, { error: NOT_TRANSITIONED, errors: { ...error.errors, ...error.details } });
  }
  if (error instanceof CouponRefused) {
    const { message, statusCode: status_code } = error;
    return describeAs('coupon_refused', { success: null, error: message, successful: false, status_code });
  }
  if (error instanceof TransferFailed) {
    return describeAs('transfer_failed', {
      success: false,
      message: 'There was an error transferring variants',
    });
  }
  if (error instanceof GatewayFailed)
    return describeAs('payment_declined', {
      error: `There was a problem with the payment gateway: ${error.message}`,
    });
  if (error instanceof CreditOverLimit) {
    return describeAs('credit_over_limit', {
      error: `This payment can only be credited up to ${error.limit}. Please specify an amount less than or equal to this number.`,
    });
  }
  if (error instanceof PaymentNotUpdatable) {
    return describeAs('payment_not_updatable', {
      error: `This payment cannot be updated because it is ${error.state}.`,
    });
  }
  return null;
}

/** Describes an error of a library or of the database. */
function describeLibraryError(error: unknown): Description | null {
  if (isDatabaseUnavailable(error)) {
    const body = { error: 'The service is temporarily unavailable. Please try again.' };
    return describeAs('database_unavailable', body, retryAfter(1));
  }
  if (isPgError(error)) {
    const errors = findConstraintErrors(error);
    return errors === null ? null : describeAs('invalid_resource', buildInvalidBody(errors));
  }
  return null;
}

/** Returns the code of the first message that has one of its own. */
function findFieldCode(errors: FieldErrors): ErrorCode | null {
  const messages = Object.values(errors).flat();
  for (const [code, isMeant] of MESSAGE_CODES) if (messages.some(isMeant)) return code;
  return null;
}

const MESSAGE_CODES: readonly [ErrorCode, (message: string) => boolean][] = [
  ['order_complete', (message) => message === SOLD],
  ['insufficient_stock', (message) => message === OUT_OF_STOCK || message.endsWith(NOT_AVAILABLE)],
  ['payment_missing', (message) => message === NO_PAYMENT],
];

function isHttpError(error: unknown): error is Error & { status: number } {
  return (
    error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status < 500
  );
}

/** Converts an error of a body parser or the router to one of our errors. Its message is not exposed. */
function toDomainError(error: Error & { status: number }): DomainError {
  // The router throws it for a path with invalid percent-encoding, which no record can have.
  if (error instanceof URIError) return new NotFound();
  if (error.status === 413) return new TooLarge();
  if (error.status === 404) return new NotFound();
  return error.status === 415 ? new BadRequest().withHint(ENCODINGS) : new BadRequest();
}

/**
 * Creates the middleware that responds to all errors with JSON. Unexpected errors return a generic 500. Causes of 5xx
 * are logged. It never passes an error on: Express would reply with a page.
 */
export function createErrorHandler(log: Logger): ErrorRequestHandler {
  // Express recognizes error handlers by their four parameters.
  return (error: unknown, request, response, _next) => {
    try {
      respondWithError(error, request, response, log);
    } catch (second) {
      log.error({ err: second }, 'error while replying to an error');
      if (response.headersSent) response.destroy();
      else send(response, UNEXPECTED);
    }
  };
}

function respondWithError(error: unknown, request: Request, response: Response, log: Logger): void {
  const known = buildErrorReply(error);
  const reply = known ?? UNEXPECTED;
  const line = { err: error, request_id: response.getHeader('x-request-id') };
  if (known === null) log.error(line, 'unexpected error');
  else if (reply.status >= 500) log.warn(line, 'request not served');
  if (response.headersSent) {
    // The client recognizes an incomplete reply by the closed connection.
    response.destroy();
    return;
  }
  const hints = findRequestHint(request, reply.headers['X-Error-Code'] ?? '');
  send(response, { ...reply, headers: { ...reply.headers, ...hints } });
}

function send(response: Response, { status, headers, body }: ErrorReply): void {
  response.set({ ...headers, 'Cache-Control': 'no-store' });
  response.status(status);
  sendJson(response, JSON.stringify(body));
}

const UNEXPECTED: ErrorReply = {
  status: 500,
  body: { error: 'Something went wrong.' },
  headers: { 'X-Error-Code': 'internal_error' },
};
