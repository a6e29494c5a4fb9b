import { formatDecimal, sumOf, toAmount, toDecimal } from '../../platform/money';
import { displayMoney, type MoneyDisplay } from '../../platform/money-format';
import type { CreditCardRow, PaymentGraph, RefundedPayment, RefundRow } from '../order/order-graph';
import { calculateCreditLimit } from '../payment-processing/amount-rules';
import type { CreditCardJson, OrderPaymentJson, PaymentJson, RefundJson } from './payments.schema';

/** Serializes a payment for the payment endpoints. `shown` is its order, or has its fields. */
export function serializePayment(payment: RefundedPayment, shown: MoneyDisplay): PaymentJson {
  return {
    id: payment.id,
    source_type: payment.credit_card_id === null ? null : 'Store::CreditCard',
    source_id: payment.credit_card_id,
    amount: formatDecimal(payment.amount),
    display_amount: displayMoney(payment.amount, shown),
    payment_method_id: payment.payment_method_id,
    state: payment.state,
    avs_response: payment.avs_response,
    created_at: payment.created_at.toISOString(),
    updated_at: payment.updated_at.toISOString(),
    number: payment.number,
    requires_action: payment.waiting?.requires_action ?? null,
    credit_allowed: calculateCreditAllowed(payment),
    refunds: payment.refunds.map(serializeRefund),
  };
}

function calculateCreditAllowed({ state, amount, refunds }: RefundedPayment): string {
  const refunded = sumOf(refunds, (refund) => toAmount(refund.amount));
  return toDecimal(calculateCreditLimit({ state, amount: toAmount(amount), refunded }));
}

export function serializeRefund(refund: RefundRow): RefundJson {
  return {
    id: refund.id,
    amount: formatDecimal(refund.amount),
    reason: refund.reason,
    created_at: new Date(refund.created_at).toISOString(),
    user_id: refund.user_id,
  };
}

/** Serializes a payment inside its order, with its card. `admin` is that of `serializeCreditCard`. */
export function serializeOrderPayment(
  payment: PaymentGraph,
  shown: MoneyDisplay,
  admin: boolean,
): OrderPaymentJson {
  return Object.assign(serializePayment(payment, shown), {
    payment_method: { id: payment.payment_method_id, name: payment.payment_method_name },
    source: payment.card === null ? null : serializeCreditCard(payment.card, admin),
  });
}

/** Serializes the public fields of a card. Gateway profile ids are added only for admins. */
export function serializeCreditCard(card: CreditCardRow, admin: boolean): CreditCardJson {
  return {
    id: card.id,
    month: card.month,
    year: card.year,
    cc_type: card.cc_type,
    last_digits: card.last_digits,
    name: card.name,
    ...(admin && {
      gateway_customer_profile_id: card.gateway_customer_profile_id,
      gateway_payment_profile_id: card.gateway_payment_profile_id,
    }),
  };
}
