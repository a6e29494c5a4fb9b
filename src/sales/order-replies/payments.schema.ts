import z from 'zod';
import { PAYMENT_STATES } from '../order/states';
import { namedObject } from '../../platform/http/named-object';

export const CreditCardJson = namedObject('CreditCard', {
  id: z.int(),
  month: z.string().describe('The month of expiry, `1` to `12`.'),
  year: z.string().describe('The year of expiry, with four digits.'),
  cc_type: z.string().nullable().describe('The brand, such as `visa`. Null if unknown.'),
  last_digits: z.string().describe('The last four digits of the number. The store does not keep the number.'),
  name: z.string().describe('The name on the card.'),
  gateway_customer_profile_id: z.string().nullable().optional().describe('Admins only.'),
  gateway_payment_profile_id: z.string().nullable().optional().describe('Admins only.'),
});

export type CreditCardJson = z.output<typeof CreditCardJson>;

export const RefundJson = namedObject('Refund', {
  id: z.int(),
  amount: z.string().describe('The refunded amount, as a decimal in the currency of the order.'),
  reason: z.string().nullable().describe('Why the payment was refunded. Null without a reason.'),
  created_at: z.string(),
  user_id: z.int().nullable().describe('The account that refunded it.'),
});

export type RefundJson = z.output<typeof RefundJson>;

export const PaymentJson = namedObject('Payment', {
  id: z.int(),
  source_type: z
    .enum(['Store::CreditCard'])
    .nullable()
    .describe('The kind of the source. Null for payments without a card.'),
  source_id: z.int().nullable().describe('The id of the card. Null for payments without a card.'),
  amount: z.string().describe('The amount, as a decimal in the currency of the order.'),
  display_amount: z.string(),
  payment_method_id: z.int(),
  state: z
    .enum(PAYMENT_STATES)
    .describe(
      'The state of the payment: `pending` is authorized, `completed` is captured. /docs/state-machines has all transitions.',
    ),
  avs_response: z
    .string()
    .nullable()
    .describe('The result of the address verification, as the gateway returned it. Null until then.'),
  created_at: z.string(),
  updated_at: z.string(),
  number: z.string().describe('The number of the payment, such as `PNTS91GF`. Unique.'),
  credit_allowed: z.string().describe('The amount that can still be refunded.'),
  requires_action: z
    .object({
      redirect_url: z.string().optional().describe('A page that the buyer must open.'),
      client_secret: z
        .string()
        .optional()
        .describe("For the gateway's page script, which continues with it."),
    })
    .nullable()
    .describe(
      'What the buyer must do while the payment is `processing`: one of the two. Then PUT /payments/:id/confirm_action. Null if nothing.',
    ),
  refunds: z.array(RefundJson).describe('The refunds of the payment, oldest first.'),
});

export type PaymentJson = z.output<typeof PaymentJson>;

/** A payment inside an order: with its payment method and source. */
export const OrderPaymentJson = PaymentJson.extend({
  payment_method: z
    .object({ id: z.int(), name: z.string().describe('The name of the payment method.') })
    .describe('The payment method.'),
  source: CreditCardJson.nullable().describe('The card. Null for payments without a card.'),
}).meta({ id: 'OrderPayment' });

export type OrderPaymentJson = z.output<typeof OrderPaymentJson>;

/** A payment method that the checkout offers. */
export const OfferedPaymentMethodJson = namedObject('OfferedPaymentMethod', {
  id: z.int(),
  name: z.string().describe('The name, as shoppers see it.'),
  method_type: z.enum(['gateway', 'check']).describe('`gateway` needs a card, `check` does not.'),
});
