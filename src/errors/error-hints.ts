import type { Request } from 'express';
import type { RequestNotes } from '../platform/http/request-notes';
import { ERROR_CODES, type ErrorCode } from './error-codes';
import { findFieldHint } from './field-hints';
import { OTHER_RECORDS } from './other-paths';

/** The headers that the response to an error has in addition, or with another value, because of its request. */
export interface RequestHint {
  'X-Error-Code'?: ErrorCode;
  'X-Error-Hint'?: string;
}

/** Headers of other projects that hold an API token. */
const OTHER_TOKEN_HEADERS = [
  'Authorization',
  'X-Spree-Token',
  'X-API-Key',
  'X-Auth-Token',
  'X-Access-Token',
  'X-Api-Token',
];

/** Headers of other projects that hold the token of an order. */
const OTHER_ORDER_TOKEN_HEADERS = ['X-Spree-Order-Token', 'X-Order-Key'];

/**
 * Returns the hint for a common mistake in how a request is sent: a token in the wrong header, an order without its
 * token, or a word in the place of an id. `code` is the code of the error. The hint repeats nothing of the request.
 */
export function findRequestHint(request: Request, code: string): RequestHint {
  if (code === 'not_authorized') return findTokenHint(request);
  if (code === 'not_found' || code === 'method_unknown') return findRecordHint(request, code);
  return {};
}

const NUMBER_OF_SHIPMENT =
  'A shipment has a number of its own; GET /api/v1/orders/:number lists the shipments of an order.';

const findOwn = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** A word in the place of an id, such as `/products/search`. */
function findRecordHint({ originalUrl }: Request, code: string): RequestHint {
  if (code === 'not_found' && /^\/api\/v1\/shipments\/[^/?]/i.test(originalUrl))
    return { 'X-Error-Hint': NUMBER_OF_SHIPMENT };
  const [, resource = '', word = ''] =
    /^\/api\/v1\/(\w+)\/([\w-]+)\/?(?:\.json)?(?:$|\?)/i.exec(originalUrl) ?? [];
  const words = findOwn(OTHER_RECORDS, resource.toLowerCase()) ?? {};
  const hint = findOwn(words, word.toLowerCase().replaceAll('-', '_'));
  return hint === undefined ? {} : { 'X-Error-Hint': hint };
}

function findTokenHint(request: Request): RequestHint {
  if (/^\/api\/v1\/gateways\/[^/?]+\/events/i.test(request.originalUrl)) {
    return {
      'X-Error-Hint':
        'The signature of the event is wrong. Compare the secret of the payment method with the secret at the provider.',
    };
  }
  const isInOrder = /^\/api\/v1\/(orders|checkouts)\/[^/?]+/i.test(request.originalUrl);
  const orderHeader = OTHER_ORDER_TOKEN_HEADERS.find((name) => request.header(name) !== undefined);
  if (isInOrder && orderHeader !== undefined) {
    return {
      'X-Error-Hint': `Send the token of the order in the header X-Order-Token; ${orderHeader} is not read.`,
    };
  }
  if (request.header('X-Store-Token') !== undefined) return findOwnRecordsHint(request);
  const header = OTHER_TOKEN_HEADERS.find((name) => request.header(name) !== undefined);
  if (header !== undefined) {
    return { 'X-Error-Hint': `Send the API token in the header X-Store-Token; ${header} is not read.` };
  }
  if (isInOrder && request.header('X-Order-Token') === undefined) {
    return {
      'X-Error-Hint': 'Send the token of the order in the header X-Order-Token, or sign in as its owner.',
    };
  }
  if (isInOrder) {
    return {
      'X-Error-Hint':
        'X-Order-Token does not permit this. Send the token that the creation of the order returned, or sign in.',
    };
  }
  return { 'X-Error-Hint': 'Sign in, and send the token in the header X-Store-Token.' };
}

/** Lists of staff, and where customers find their own records. */
const OWN_RECORDS: readonly [path: RegExp, hint: string][] = [
  [/^orders$/, 'GET /api/v1/orders/mine lists the orders of the customer.'],
  [/^users$/, 'GET /api/v1/users/me is the account of the customer.'],
  [/^documents$/, 'GET /api/v1/orders/:number/documents lists the documents of an order.'],
  [/^(payments|shipments)$/, 'The payments and shipments of an order are in GET /api/v1/orders/:number.'],
];

/** The token is valid but not sufficient. */
function findOwnRecordsHint({ originalUrl, method }: Request): RequestHint {
  const resource = /^\/api\/v1\/(\w+)\/?(\.json)?($|\?)/i.exec(originalUrl)?.[1]?.toLowerCase() ?? '';
  const hint = method === 'GET' ? OWN_RECORDS.find(([path]) => path.test(resource))?.[1] : undefined;
  return hint === undefined ? {} : { 'X-Error-Hint': hint };
}

/** Codes whose solution in the reference is the hint, unless the error has its own. */
const CURED: readonly ErrorCode[] = [
  'payment_not_updatable',
  'precondition_failed',
  'order_complete',
  'payment_missing',
  'payment_declined',
  'payment_action_required',
  'payment_pending',
  'insufficient_stock',
  'credit_over_limit',
  'idempotency_key_reused',
  'reply_lost',
  'transfer_failed',
  'invalid_credentials',
  'invalid_api_key',
];

/**
 * Returns the hint of an error: what it says itself, and which ignored parameters were probably meant; else how to correct
 * the first attribute that `body` names, or the solution of its code. Null if there is none.
 */
export function buildHint(
  code: ErrorCode,
  { own, notes, body }: { own: string | null; notes: RequestNotes | null; body: object },
): string | null {
  const meant = isAboutRequest(code) ? (notes?.hint ?? null) : null;
  const errors = 'errors' in body && typeof body.errors === 'object' ? body.errors : null;
  const fallback = () =>
    findFieldHint(errors, code !== 'invalid_resource') ??
    (CURED.includes(code) ? ERROR_CODES[code].cure : null);
  const about = own ?? (meant === null ? fallback() : null);
  const sentences = [meant, about].filter((sentence) => sentence !== null);
  return sentences.length === 0 ? null : sentences.join(' ');
}

/** Whether another parameter may help: not against missing rights, limits and outages. */
function isAboutRequest(code: ErrorCode): boolean {
  const { status } = ERROR_CODES[code];
  return status === 404 || status === 422 || status === 400;
}
