import { z } from 'zod';
import { nested, reference, wrapped } from '../../platform/http/fields';
import { forAdmins } from '../../platform/http/ignored-parameters';
import { PaymentJson, OfferedPaymentMethodJson } from '../order-replies/payments.schema';
import { CardInput } from '../payment-processing/card-input.schema';

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
