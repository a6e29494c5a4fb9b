import { z } from 'zod';
import { choice, reference, text } from '../../platform/http/fields';
import { wrapped } from '../../platform/http/field-schemas';
import { forAdmins } from '../../platform/http/ignored-parameters';
import { PaymentJson, OfferedPaymentMethodJson, RefundJson } from '../order-replies/payments.schema';
import { nestedCard } from '../payment-processing/card-input.schema';
import { namedObject } from '../../platform/http/named-object';

/** The attributes of a payment, without what its gateway and refunds add. */
export const PAYMENT_ATTRIBUTES = Object.keys(
  PaymentJson.omit({ requires_action: true, credit_allowed: true, refunds: true }).shape,
);

export const NewPaymentJson = namedObject('NewPayment', {
  attributes: z.array(z.string()).describe('The names of the attributes of a payment.'),
  payment_methods: z
    .array(
      OfferedPaymentMethodJson.extend({
        description: z.string().nullable().describe('A description for shoppers. Null without one.'),
        gateway: z
          .string()
          .describe('The payment provider, such as `stripe`: which page script or form the checkout needs.'),
        public_preferences: z
          .record(z.string(), z.string())
          .describe('What the page script of the provider needs, such as `publishable_key`.'),
      }),
    )
    .describe('The payment methods that the caller may use.'),
});

export type NewPaymentJson = z.output<typeof NewPaymentJson>;

const examples = (example: string) => ({ override: { type: 'string' }, examples: [example] }) as const;

/** Checked by the amount rules, as missing, zero and excessive amounts are treated differently by each action. */
const amount = z
  .unknown()
  .optional()
  .meta({ ...examples('19.99'), description: 'A decimal number.' });

/** An invalid id counts as missing; the service reports the error. */
const methodId = reference().optional.catch(undefined);

export const PaymentCreate = wrapped(
  'payment',
  z.object({
    payment_method_id: methodId.describe('The id of a payment method that the caller may use. Required.'),
    amount: forAdmins(
      amount.meta({
        ...examples('19.99'),
        description: "Defaults to the order's outstanding balance. Ignored unless the caller is an admin.",
      }),
    ),
    source_attributes: nestedCard().describe('The card.'),
    // No card has the id 0, so an invalid id is reported as an invalid card.
    existing_card: reference().optional.catch(0).describe("Id of a saved card of the order's user."),
  }),
);

export const PaymentUpdate = wrapped(
  'payment',
  z.object({
    payment_method_id: methodId.describe('The id of the payment method.'),
    amount: amount.describe('The amount, as a decimal in the currency of the order.'),
  }),
);

export type PaymentAttributes = z.output<typeof PaymentCreate>['payment'];
export type PaymentChanges = z.output<typeof PaymentUpdate>['payment'];

export const AmountQuery = z.object({ amount });

export const CreditQuery = AmountQuery.extend({
  reason: text({ max: 1000, trim: true }).optional.describe('Why the payment is refunded.'),
});

export const PaymentSettlement = z.object({
  outcome: choice(['approved', 'declined']).required.describe(
    'What the provider did: look it up there before you settle the payment.',
  ),
  reason: text({ max: 1000, trim: true }).required.describe('How the outcome is known.'),
  response_code: text({ max: 255, trim: true }).optional.describe(
    "The provider's id of the transaction, as needed to capture, void or refund it later. Defaults to the stored one.",
  ),
});

/** A refund in the list of an order. */
export const ListedRefundJson = RefundJson.extend({
  payment_id: z.int().describe('The id of the refunded payment.'),
}).meta({ id: 'ListedRefund' });

export type ListedRefundJson = z.output<typeof ListedRefundJson>;
