import { DomainError, Conflict } from '../platform/errors';

/** A token was sent that nobody holds. `key` is what was sent; the reply cuts it. */
export class InvalidApiKey extends DomainError {
  constructor(readonly key: string) {
    super('invalid API key');
  }
}

/** E-mail and password do not match an account; says no more than that. */
export class InvalidCredentials extends DomainError {}

/** A coupon code is not applied; the reply is the result object of behaviour 12.3, with `statusCode` in it (422). */
export class CouponRefused extends DomainError {
  constructor(
    readonly statusCode: string,
    message: string,
  ) {
    super(message);
  }
}

/** Units cannot be moved from one shipment to the other. */
export class TransferFailed extends DomainError {}

/** The payment gateway, or the payment's own state, refuses the operation. */
export class GatewayFailed extends DomainError {}

/** More would be credited than the payment allows; `limit` in decimal form (`25.99`). */
export class CreditOverLimit extends DomainError {
  constructor(readonly limit: string) {
    super(`credit over limit ${limit}`);
  }
}

/** The payment's state forbids changing it (403). */
export class PaymentNotUpdatable extends DomainError {
  constructor(readonly state: string) {
    super(`payment is ${state}`);
  }
}

/** A gateway is being asked about a payment of the order; wait for the answer (`whenSettled`), or give up as Conflict. */
export class PaymentInProgress extends Conflict {
  constructor(readonly orderId: number) {
    super('a payment of the order is being processed');
  }
}
