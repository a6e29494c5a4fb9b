import { z } from 'zod';
import { nested, reference, wrapped } from '../../platform/http/fields';
import { forAdmins } from '../../platform/http/ignored-parameters';

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
  })
  .meta({ id: 'Payment' });

export type PaymentJson = z.output<typeof PaymentJson>;

/** A payment inside an order: also how it is paid. */
export const OrderPaymentJson = PaymentJson.extend({
  payment_method: z.object({ id: z.int(), name: z.string() }),
  source: CreditCardJson.nullable(),
}).meta({ id: 'OrderPayment' });

export type OrderPaymentJson = z.output<typeof OrderPaymentJson>;

/** A way to pay, as a checkout offers it. */
export const OfferedPaymentMethodJson = z
  .object({ id: z.int(), name: z.string(), method_type: z.string() })
  .meta({ id: 'OfferedPaymentMethod' });

/** What a payment has. */
export const PAYMENT_ATTRIBUTES = Object.keys(PaymentJson.shape);

export const NewPaymentJson = z
  .object({
    attributes: z.array(z.string()),
    payment_methods: z
      .array(OfferedPaymentMethodJson.extend({ description: z.string().nullable() }))
      .meta({ description: 'What the caller may pay with.' }),
  })
  .meta({ id: 'NewPayment' });

export type NewPaymentJson = z.output<typeof NewPaymentJson>;

/** A card as it is typed in. Its number and verification value live as long as the request, nowhere else. */
export const CardInput = z.record(z.string(), z.unknown()).meta({
  id: 'CardInput',
  override: {
    type: 'object',
    properties: {
      number: { type: 'string' },
      month: { type: 'string' },
      year: { type: 'string' },
      expiry: { type: 'string', description: 'MM/YY, in place of month and year.' },
      verification_value: { type: 'string' },
      name: { type: 'string' },
      cc_type: { type: 'string' },
    },
  },
});

const examples = (example: string) => ({ override: { type: 'string' }, examples: [example] }) as const;

/** Whether it is a number at all is for the amount rules: what is missing, zero or too much differs by action. */
const amount = z
  .unknown()
  .optional()
  .meta({ ...examples('19.99'), description: 'A decimal number.' });

/** What names no method is no method; the service says so in its own words. */
const methodId = reference().optional.catch(undefined);

export const PaymentCreate = wrapped(
  'payment',
  z.object({
    payment_method_id: methodId,
    amount: forAdmins(
      amount.meta({
        ...examples('19.99'),
        description: "Ignored unless the caller is an admin; others pay the order's outstanding total.",
      }),
    ),
    source_attributes: nested(CardInput),
    // 0 is nobody's card.
    existing_card: reference()
      .optional.catch(0)
      .meta({ description: "Id of a saved card of the order's user." }),
  }),
);

export const PaymentUpdate = wrapped('payment', z.object({ payment_method_id: methodId, amount }));

export type PaymentAttributes = z.output<typeof PaymentCreate>['payment'];
export type PaymentChanges = z.output<typeof PaymentUpdate>['payment'];

export const AmountQuery = z.object({ amount });
