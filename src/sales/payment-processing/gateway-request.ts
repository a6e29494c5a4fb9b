import type { OrderGraph, PaymentGraph } from '../order/order-graph';
import type { GatewaySource } from './gateways/gateway';
import type { NewOperation, PaymentOperationRow } from './payment-operations.repository';

/** Who has settled an operation whose gateway does not answer. */
export interface Settlement {
  outcome: 'approved' | 'declined';
  reason: string;
  user_id: number | null;
}

/** An operation with everything its gateway call needs, and its order. */
export interface GatewayRequest extends NewOperation {
  /** Instead of an answer of the gateway. */
  settled_by?: Settlement;
  payment_number: string;
  order_id: number;
  order_number: string;
  currency: string;
  /** The gateway and its credentials. Never log them. */
  gateway: string;
  preferences: unknown;
  response_code: string | null;
  started_at: Date;
  /** The gateway has answered that it waits. */
  waits_until: Date | null;
  /** The payment is the rest of a partial capture. */
  is_remainder: boolean;
  /** The number of the payment whose authorization this one is part of; its own unless it is a rest. */
  authorization: string;
  /** For voids: a payment of the same authorization has refunds. False for all other calls. */
  has_refunds: boolean;
  source: GatewaySource | null;
}

/** What a request needs of its operation. */
export type RequestedOperation = NewOperation &
  Pick<PaymentOperationRow, 'started_at' | 'waits_until' | 'response_code'>;

/** What a request needs of its payment method. */
export interface ConnectedGateway {
  gateway: string;
  preferences: unknown;
}

/** Builds the request of an operation on a payment of the order. */
export function buildRequest(
  order: OrderGraph,
  payment: PaymentGraph,
  { operation, method }: { operation: RequestedOperation; method: ConnectedGateway },
): GatewayRequest {
  const { waits_until, response_code } = operation;
  const authorized = order.payments.find(({ id }) => id === getRoot(payment));
  return {
    ...pickOperation(operation),
    payment_number: payment.number,
    order_id: order.id,
    order_number: order.number,
    currency: order.currency,
    gateway: method.gateway,
    preferences: method.preferences,
    response_code: (waits_until === null ? null : response_code) ?? payment.response_code,
    waits_until,
    is_remainder: payment.authorized_payment_id !== null,
    authorization: authorized?.number ?? payment.number,
    has_refunds: operation.kind === 'void' && hasRefunds(order, payment),
    source: buildSource(payment),
  };
}

function pickOperation(operation: RequestedOperation): NewOperation & { started_at: Date } {
  const { payment_id, kind, event, purpose, amount, idempotency_key } = operation;
  const { state_before, user_id, reason, started_at } = operation;
  return {
    payment_id,
    kind,
    event,
    purpose,
    amount,
    idempotency_key,
    state_before,
    user_id,
    reason,
    started_at,
  };
}

/** Returns the id of the payment whose authorization this one is part of. */
function getRoot({ id, authorized_payment_id }: PaymentGraph): number {
  return authorized_payment_id ?? id;
}

function hasRefunds({ payments }: OrderGraph, payment: PaymentGraph): boolean {
  return payments.some((part) => getRoot(part) === getRoot(payment) && part.refunds.length > 0);
}

function buildSource({ card, has_foreign_card }: PaymentGraph): GatewaySource | null {
  if (card === null) return null;
  const { gateway_customer_profile_id, gateway_payment_profile_id, user_id } = card;
  return {
    gateway_customer_profile_id,
    gateway_payment_profile_id,
    is_kept: user_id !== null,
    is_saved_by_another_user: has_foreign_card === true,
  };
}
