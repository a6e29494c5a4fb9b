import { Conflict, DomainError, Refused, TransitionRefused, Unavailable } from '../platform/errors';

const SCHEME = /^(bearer|basic|token)\b/i;

/** The API token is invalid. `key` is the received token. */
export class InvalidApiKey extends DomainError {
  constructor(readonly key: string) {
    super('invalid API key');
    if (SCHEME.test(key)) this.withHint('Send the token alone in X-Store-Token, without "Bearer".');
  }

  /** What the response shows of the key: the first 64 characters. A key after the name of a scheme is a valid secret. */
  get shownKey(): string {
    return SCHEME.test(this.key) ? `${SCHEME.exec(this.key)?.[0] ?? ''} …` : this.key.slice(0, 64);
  }
}

/** E-mail address and password do not match an account. Does not reveal which of them is wrong. */
export class InvalidCredentials extends DomainError {}

/** The password is right, and the account needs a second factor that the request does not have. */
export class TwoFactorRequired extends DomainError {}

/** The code of the second factor is wrong or used. */
export class TwoFactorInvalid extends DomainError {}

/** The store requires a second factor of staff, and the account of this sign-in has none. */
export class TwoFactorSetupRequired extends DomainError {}

/** A coupon code is not applied (422). The response is the result object of coupon codes and contains `statusCode`. */
export class CouponRefused extends DomainError {
  constructor(
    readonly statusCode: string,
    message: string,
  ) {
    super(message);
  }
}

/** A coupon code in an order's attributes is not applied (422). */
export class CouponCodeRefused extends Refused {}

/** Units cannot be transferred to the other shipment. */
export class TransferFailed extends DomainError {}

/** The order is not completed because the gateway declined its payments. `errors` has the messages of the gateway. */
export class PaymentDeclined extends TransitionRefused {}

/** A payment that waits for the buyer or the provider, and what the buyer must do. */
export interface WaitingPayment {
  id: number;
  number: string;
  requires_action: object | null;
}

const NEEDS_ACTION = 'The payment requires an action of the buyer';
const IS_PENDING = 'The payment is waiting for the provider';

/** The order is not completed yet because its payments wait for the buyer or the provider. Its stock is held. */
export class PaymentWaits extends TransitionRefused {
  readonly needsAction: boolean;

  constructor(payments: readonly WaitingPayment[]) {
    const needsAction = payments.some(({ requires_action }) => requires_action !== null);
    super({ base: [needsAction ? NEEDS_ACTION : IS_PENDING] }, { payments });
    this.needsAction = needsAction;
  }
}

/** The payment gateway or the payment's state does not allow the operation. */
export class GatewayFailed extends DomainError {}

/** The credit exceeds the limit of the payment; `limit` is a decimal string (`25.99`). */
export class CreditOverLimit extends DomainError {
  constructor(readonly limit: string) {
    super(`credit over limit ${limit}`);
  }
}

/** The payment's state does not allow updates (403). */
export class PaymentNotUpdatable extends DomainError {
  constructor(readonly state: string) {
    super(`payment is ${state}`);
  }
}

/**
 * A gateway call for a payment of the order is running. Wait for its result (`retryAfterPayments`), or fail with
 * Conflict.
 */
export class PaymentInProgress extends Conflict {
  constructor(readonly orderId: number) {
    super('a payment of the order is being processed');
  }
}

/** A payment provider does not answer (503). What became of the payment is not known yet. */
export class GatewayUnavailable extends Unavailable {}
