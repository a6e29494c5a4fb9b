import z from 'zod';
import { PAYMENT_STATES } from '../order/states';

export const CreditCardJson = z
  .object({
    id: z.int(),
    month: z.string().meta({ description: 'The month of expiry, `1` to `12`.' }),
    year: z.string().meta({ description: 'The year of expiry, with four digits.' }),
    cc_type: z.string().nullable().meta({ description: 'The brand, such as `visa`. Null if unknown.' }),
    last_digits: z
      .string()
      .meta({ description: 'The last four digits of the number. The store does not keep the number.' }),
    name: z.string().meta({ description: 'The name on the card.' }),
    gateway_customer_profile_id: z.string().nullable().optional().meta({ description: 'Admins only.' }),
    gateway_payment_profile_id: z.string().nullable().optional().meta({ description: 'Admins only.' }),
  })
  .meta({ id: 'CreditCard' });

export type CreditCardJson = z.output<typeof CreditCardJson>;

export const RefundJson = z
  .object({
    id: z.int(),
    amount: z
      .string()
      .meta({ description: 'The refunded amount, as a decimal in the currency of the order.' }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why the payment was refunded. Null without a reason.' }),
    created_at: z.string(),
    user_id: z.int().nullable().meta({ description: 'The account that refunded it.' }),
  })
  .meta({ id: 'Refund' });

export type RefundJson = z.output<typeof RefundJson>;

export const PaymentJson = z
  .object({
    id: z.int(),
    source_type: z
      .enum(['Store::CreditCard'])
      .nullable()
      .meta({ description: 'The kind of the source. Null for payments without a card.' }),
    source_id: z
      .int()
      .nullable()
      .meta({ description: 'The id of the card. Null for payments without a card.' }),
    amount: z.string().meta({ description: 'The amount, as a decimal in the currency of the order.' }),
    display_amount: z.string(),
    payment_method_id: z.int(),
    state: z.enum(PAYMENT_STATES).meta({
      description:
        'The state of the payment: `pending` is authorized, `completed` is captured. /docs/state-machines has all transitions.',
    }),
    avs_response: z.string().nullable().meta({
      description: 'The result of the address verification, as the gateway returned it. Null until then.',
    }),
    created_at: z.string(),
    updated_at: z.string(),
    number: z.string().meta({ description: 'The number of the payment, such as `PNTS91GF`. Unique.' }),
    credit_allowed: z.string().meta({ description: 'The amount that can still be refunded.' }),
    requires_action: z
      .object({
        redirect_url: z.string().optional().meta({ description: 'A page that the buyer must open.' }),
        client_secret: z
          .string()
          .optional()
          .meta({ description: "For the gateway's page script, which continues with it." }),
      })
      .nullable()
      .meta({
        description:
          'What the buyer must do while the payment is `processing`: one of the two. Then PUT /payments/:id/confirm_action. Null if nothing.',
      }),
    refunds: z.array(RefundJson).meta({ description: 'The refunds of the payment, oldest first.' }),
  })
  .meta({ id: 'Payment' });

export type PaymentJson = z.output<typeof PaymentJson>;

/** A payment inside an order: with its payment method and source. */
export const OrderPaymentJson = PaymentJson.extend({
  payment_method: z
    .object({ id: z.int(), name: z.string().meta({ description: 'The name of the payment method.' }) })
    .meta({ description: 'The payment method.' }),
  source: CreditCardJson.nullable().meta({ description: 'The card. Null for payments without a card.' }),
}).meta({ id: 'OrderPayment' });

export type OrderPaymentJson = z.output<typeof OrderPaymentJson>;

/** A payment method that the checkout offers. */
export const OfferedPaymentMethodJson = z
  .object({
    id: z.int(),
    name: z.string().meta({ description: 'The name, as shoppers see it.' }),
    method_type: z
      .enum(['gateway', 'check'])
      .meta({ description: '`gateway` needs a card, `check` does not.' }),
  })
  .meta({ id: 'OfferedPaymentMethod' });
