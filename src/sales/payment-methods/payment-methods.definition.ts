import { z } from 'zod';
import { scalars } from '../../platform/http/fields';
import { boolean, choice, integer, longText, text } from '../../platform/resource/columns';
import { defineResource, type JsonOf, type RowOf } from '../../platform/resource/definition';

/**
 * A payment method. Its credentials are write-only, and not searchable: a search would let them be guessed letter by
 * letter.
 */
export const PaymentMethod = defineResource({
  table: 'payment_methods',
  name: 'payment_method',
  schema: 'PaymentMethodSettings',
  deletion: 'soft',
  fields: {
    name: {
      type: text({ trim: true }),
      required: true,
      search: true,
      description: 'The name, as shoppers see it.',
    },
    description: {
      type: longText(),
      nullable: true,
      search: true,
      description: 'A description for shoppers. Null without one.',
    },
    gateway: {
      type: text({ trim: true }),
      required: true,
      search: true,
      description: 'The payment provider.',
      reply: z.string().meta({ examples: ['bogus'] }),
    },
    method_type: {
      reply: z
        .enum(['gateway', 'check'])
        .describe('Determined by the gateway: `gateway` needs a card, `check` does not.'),
      search: 'text',
    },
    display_on: {
      type: choice(['both', 'back_end']),
      default: 'both',
      search: true,
      description: '`back_end`: only admins may use it.',
    },
    active: { type: boolean(), default: true, search: true, description: 'Whether new payments may use it.' },
    auto_capture: {
      type: boolean(),
      nullable: true,
      description: "Whether completing an order captures the payment. Null: the store's setting applies.",
    },
    position: {
      type: integer({ min: 0 }),
      assigned: true,
      search: true,
      description: 'The position among the payment methods. Defaults to the last.',
    },
    has_preferences: { reply: z.boolean().describe('Whether credentials are stored.') },
    preferences: {
      input: scalars().optional.meta({
        description:
          'Credentials for the gateway, by name; write-only. Omitted ones are kept, null removes one, ' +
          'null instead of the object removes all.',
        examples: [{ secret_key: 'sk_test_…' }],
      }),
      listed: true,
    },
  },
  search: { baseOrder: ['payment_methods.position ASC'] },
});

/** A payment method without its credentials. */
export interface PaymentMethodSettings extends RowOf<typeof PaymentMethod> {
  method_type: 'gateway' | 'check';
  has_preferences: boolean;
}

export type PaymentMethodSettingsJson = JsonOf<typeof PaymentMethod>;
