import { sum, sumOf, type Amount, ZERO } from '../../../platform/money';
import type { BaseRequest, VoidRequest } from './gateway';

/*
 * The books of the test gateway. Each function changes an authorization, or returns why the contract of gateways forbids
 * the request. An authorization that is undefined is not in the books, and everything about it is approved.
 */

/** One capture of an authorization. */
interface Capture {
  amount: Amount;
  credited: Amount;
  is_void: boolean;
}

/** One authorization. Amounts are in minor units. */
export interface Authorization {
  amount: Amount;
  captured: Amount;
  /** What is not captured has been voided. */
  is_closed: boolean;
  /** By payment number. */
  captures: Map<string, Capture>;
}

export function createAuthorization(amount: Amount): Authorization {
  return { amount, captured: ZERO, is_closed: false, captures: new Map() };
}

/** Captures an amount for a payment. @returns why it is refused, or null */
export function capture(authorization: Authorization | undefined, request: BaseRequest): string | null {
  if (authorization === undefined) return null;
  if (authorization.is_closed) return 'the authorization is void';
  if (authorization.captured + request.amount > authorization.amount) return 'the authorization is exceeded';
  authorization.captured = sum(authorization.captured, request.amount);
  authorization.captures.set(request.payment_number, {
    amount: request.amount,
    credited: ZERO,
    is_void: false,
  });
  return null;
}

/** Returns what is captured and not void. */
export function readCaptured(authorization: Authorization | undefined): Amount {
  const captures = [...(authorization?.captures.values() ?? [])].filter(({ is_void }) => !is_void);
  return sumOf(captures, ({ amount }) => amount);
}

/** Refunds a part of the capture of a payment. @returns why it is refused, or null */
export function credit(authorization: Authorization | undefined, request: BaseRequest): string | null {
  const captured = authorization?.captures.get(request.payment_number);
  if (captured === undefined) return null;
  if (captured.is_void) return 'the capture is void';
  if (captured.credited + request.amount > captured.amount) return 'more than the captured amount';
  captured.credited = sum(captured.credited, request.amount);
  return null;
}

/** Voids what the request's scope names. @returns why it is refused, or null */
export function voidScope(authorization: Authorization | undefined, request: VoidRequest): string | null {
  if (authorization === undefined) return null;
  switch (request.scope) {
    case 'authorization':
      return authorization.captures.size > 0
        ? 'the authorization has captures'
        : closeRemainder(authorization);
    case 'remainder':
      return closeRemainder(authorization);
    case 'capture':
      return voidCapture(authorization.captures.get(request.payment_number));
    case 'sale':
      return voidSale(authorization);
  }
}

function closeRemainder(authorization: Authorization): string | null {
  if (authorization.is_closed) return 'the authorization is void';
  authorization.is_closed = true;
  return null;
}

function voidCapture(captured: Capture | undefined): string | null {
  if (captured === undefined) return null;
  if (captured.is_void) return 'the capture is void';
  if (captured.credited > ZERO) return 'the capture has credits';
  captured.is_void = true;
  return null;
}

function voidSale(authorization: Authorization): string | null {
  const captures = [...authorization.captures.values()].filter(({ is_void }) => !is_void);
  if (captures.some(({ credited }) => credited > ZERO)) return 'the sale has credits';
  for (const captured of captures) captured.is_void = true;
  authorization.is_closed = true;
  return null;
}
