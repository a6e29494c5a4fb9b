import type { Request } from 'express';
import type { ErrorCode } from './error-codes';

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
 * token, or a body that was not read. `code` is the code of the error. The hint repeats nothing of the request.
 */
export function findRequestHint(request: Request, code: string): RequestHint {
  if (code === 'not_authorized') return findTokenHint(request);
  return {};
}

function findTokenHint(request: Request): RequestHint {
  const isInOrder = /^\/api\/v1\/(orders|checkouts)\/[^/?]+/i.test(request.originalUrl);
  const orderHeader = OTHER_ORDER_TOKEN_HEADERS.find((name) => request.header(name) !== undefined);
  if (isInOrder && orderHeader !== undefined) {
    return {
      'X-Error-Hint': `Send the token of the order in the header X-Order-Token; ${orderHeader} is not read.`,
    };
  }
  if (request.header('X-Store-Token') !== undefined) return {};
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
