import { z } from 'zod';
import {
  boolean,
  choice,
  createSchema,
  integer,
  longText,
  scalars,
  text,
  updateSchema,
  wrapped,
} from '../../platform/http/fields';

const DISPLAY_ON = ['both', 'back_end'] as const;

/** A payment method as its owner sees it; of its credentials, whether there are any. */
export const PaymentMethodSettingsJson = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    gateway: z.string().meta({ description: 'Who takes the money.', examples: ['bogus'] }),
    method_type: z
      .enum(['gateway', 'check'])
      .meta({ description: 'Follows from the gateway: `gateway` asks the buyer for a card.' }),
    display_on: z.enum(DISPLAY_ON).meta({ description: '`back_end`: for admins only.' }),
    active: z.boolean().meta({ description: 'Whether new payments may use it.' }),
    auto_capture: z
      .boolean()
      .nullable()
      .meta({ description: "Whether completing an order captures; null: as the store's setting says." }),
    position: z.int(),
    has_preferences: z.boolean().meta({ description: 'Whether credentials are stored.' }),
  })
  .meta({ id: 'PaymentMethodSettings' });

export type PaymentMethodSettingsJson = z.output<typeof PaymentMethodSettingsJson>;

const fields = {
  name: text({ trim: true }),
  description: longText(),
  gateway: text({ trim: true }),
  display_on: choice(DISPLAY_ON),
  active: boolean(),
  auto_capture: boolean(),
  position: integer({ min: 0 }),
};

const credentials = {
  preferences: scalars().optional.meta({
    description:
      'Credentials for the gateway, by name; written, never shown. Those left out stay, null removes one, ' +
      'null instead of the record removes all.',
    examples: [{ secret_key: 'sk_test_…' }],
  }),
};

export const PAYMENT_METHOD_REQUIRED = ['name', 'gateway'] as const;

export const PAYMENT_METHOD_ATTRIBUTES = ['id', ...Object.keys(fields), 'preferences'];

export const PaymentMethodCreate = wrapped(
  'payment_method',
  createSchema(fields, PAYMENT_METHOD_REQUIRED).extend(credentials),
);
export const PaymentMethodUpdate = wrapped(
  'payment_method',
  updateSchema(fields, PAYMENT_METHOD_REQUIRED).extend(credentials),
);

export type PaymentMethodAttributes = z.output<typeof PaymentMethodCreate>['payment_method'];
export type PaymentMethodChanges = z.output<typeof PaymentMethodUpdate>['payment_method'];
