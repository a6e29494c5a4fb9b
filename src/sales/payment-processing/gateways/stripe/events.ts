import type { Stripe } from 'stripe' with { 'resolution-mode': 'import' };
import type { GatewayEvent } from '../gateway';
import { fromStripeAmount } from './amounts';

/** Reads an event whose signature is valid; null if it is about no payment. */
export function readStripeEvent({ id, type, data }: Stripe.Event): GatewayEvent | null {
  // The type of the object follows from its field `object`.
  const object = data.object as Stripe.PaymentIntent | Stripe.Refund | Stripe.Dispute | { object: string };
  if (isPaymentIntent(object)) {
    const payment_number = object.metadata['payment'] ?? null;
    return { id, type, payment_number, response_code: object.id, ...readSettlement(type, object) };
  }
  if (isRefund(object)) {
    const hasFailed = object.status === 'failed' || object.status === 'canceled';
    const payment_number = object.metadata?.['payment'] ?? null;
    const isMadeElsewhere = payment_number === null && object.status === 'succeeded';
    const refund = {
      id: object.id,
      amount: fromStripeAmount(object.amount, object.currency),
      currency: object.currency.toUpperCase(),
    };
    return {
      id,
      type,
      payment_number,
      response_code: payment_number === null ? readIntentId(object) : object.id,
      ...(isMadeElsewhere && { refund }),
      ...(hasFailed && { failed_refund: object.id }),
    };
  }
  if (!isDispute(object)) return null;
  const { status, reason } = object;
  return {
    id,
    type,
    payment_number: null,
    response_code: readIntentId(object),
    dispute: {
      id: object.id,
      state: status,
      reason,
      amount: fromStripeAmount(object.amount, object.currency),
    },
  };
}

/** Reads how an authorization has ended. */
function readSettlement(
  type: string,
  { id: authorization, status, amount_received, currency }: Stripe.PaymentIntent,
): Pick<GatewayEvent, 'settlement'> {
  if (type === 'payment_intent.canceled' && status === 'canceled')
    return { settlement: { authorization, captured: null } };
  if (type !== 'payment_intent.succeeded' || status !== 'succeeded') return {};
  const amount = fromStripeAmount(amount_received, currency);
  const captured = { reference: authorization, amount, currency: currency.toUpperCase() };
  return { settlement: { authorization, captured } };
}

function readIntentId({ payment_intent }: Stripe.Refund | Stripe.Dispute): string | null {
  return typeof payment_intent === 'string' ? payment_intent : (payment_intent?.id ?? null);
}

function isPaymentIntent(object: { object: string }): object is Stripe.PaymentIntent {
  return object.object === 'payment_intent';
}

function isRefund(object: { object: string }): object is Stripe.Refund {
  return object.object === 'refund';
}

function isDispute(object: { object: string }): object is Stripe.Dispute {
  return object.object === 'dispute';
}
