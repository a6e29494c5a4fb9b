import z from 'zod';

export const CreditCardJson = z
  .object({
    id: z.int(),
    month: z.string(),
    year: z.string(),
    cc_type: z.string().nullable(),
    last_digits: z.string(),
    name: z.string(),
    gateway_customer_profile_id: z.string().nullable().optional().meta({ description: 'Admins only.' }),
    gateway_payment_profile_id: z.string().nullable().optional().meta({ description: 'Admins only.' }),
  })
  .meta({ id: 'CreditCard' });

export type CreditCardJson = z.output<typeof CreditCardJson>;

export const RefundJson = z
  .object({
    id: z.int(),
    amount: z.string(),
    reason: z.string().nullable(),
    created_at: z.string(),
    user_id: z.int().nullable().meta({ description: 'The account that refunded it.' }),
  })
  .meta({ id: 'Refund' });

export type RefundJson = z.output<typeof RefundJson>;

export const PaymentJson = z
  .object({
    id: z.int(),
    source_type: z.string().nullable(),
    source_id: z.int().nullable(),
    amount: z.string(),
    display_amount: z.string(),
    payment_method_id: z.int(),
    state: z.enum(['checkout', 'processing', 'pending', 'completed', 'failed', 'void', 'invalid']),
    avs_response: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    number: z.string(),
    credit_allowed: z.string().meta({ description: 'The amount that can still be refunded.' }),
    refunds: z.array(RefundJson),
  })
  .meta({ id: 'Payment' });

export type PaymentJson = z.output<typeof PaymentJson>;

/** A payment inside an order: with its payment method and source. */
export const OrderPaymentJson = PaymentJson.extend({
  payment_method: z.object({ id: z.int(), name: z.string() }),
  source: CreditCardJson.nullable(),
}).meta({ id: 'OrderPayment' });

export type OrderPaymentJson = z.output<typeof OrderPaymentJson>;

/** A payment method that the checkout offers. */
export const OfferedPaymentMethodJson = z
  .object({ id: z.int(), name: z.string(), method_type: z.string() })
  .meta({ id: 'OfferedPaymentMethod' });
