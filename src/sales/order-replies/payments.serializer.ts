import { formatDecimal, displayMoney } from '../../platform/money';
import type { CreditCardRow, PaymentGraph, PaymentRow } from '../order/order-graph';
import type { CreditCardJson, OrderPaymentJson, PaymentJson } from './payments.schema';

/** Serializes a payment for the payment endpoints. `currency` is that of the order. */
export function serializePayment(payment: PaymentRow, currency: string): PaymentJson {
  return {
    id: payment.id,
    source_type: payment.credit_card_id === null ? null : 'Store::CreditCard',
    source_id: payment.credit_card_id,
    amount: formatDecimal(payment.amount),
    display_amount: displayMoney(payment.amount, currency),
    payment_method_id: payment.payment_method_id,
    state: payment.state,
    avs_response: payment.avs_response,
    created_at: payment.created_at.toISOString(),
    updated_at: payment.updated_at.toISOString(),
    number: payment.number,
  };
}

/** Serializes a payment inside its order, with its card. `admin` is that of `serializeCreditCard`. */
export function serializeOrderPayment(
  payment: PaymentGraph,
  currency: string,
  admin: boolean,
): OrderPaymentJson {
  return {
    ...serializePayment(payment, currency),
    payment_method: { id: payment.payment_method_id, name: payment.payment_method_name },
    source: payment.card === null ? null : serializeCreditCard(payment.card, admin),
  };
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
