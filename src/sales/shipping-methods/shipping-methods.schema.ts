import { z } from 'zod';
import {
  choice,
  createSchema,
  ids,
  reference,
  scalars,
  text,
  updateSchema,
  wrapped,
} from '../../platform/http/fields';
import { CALCULATOR_TYPES } from '../fulfilment/calculators';
import { ShippingMethodJson } from '../order-replies/shipments.schema';

const DISPLAY_ON = ['both', 'back_end'] as const;

/** A shipping method as its owner sees it. */
export const ShippingMethodSettingsJson = ShippingMethodJson.extend({
  admin_name: z.string().nullable(),
  tracking_url: z.string().nullable().meta({ description: '`:tracking` stands for the tracking number.' }),
  display_on: z.enum(DISPLAY_ON).meta({ description: '`back_end`: never offered in a checkout.' }),
  tax_category_id: z.int().nullable().meta({ description: 'What its cost is taxed as; null: untaxed.' }),
  calculator_type: z.enum(CALCULATOR_TYPES),
  calculator_preferences: z.record(z.string(), z.union([z.string(), z.int(), z.null()])).meta({
    description:
      'All have `currency` (null: any). `flat_rate`, `per_item`: `amount`. `flat_percent`: `flat_percent`. ' +
      '`price_sack`: `normal_amount` below `minimal_amount`, else `discount_amount`. `flexi_rate`: `first_item`, ' +
      '`additional_item`, `max_items`.',
    examples: [{ amount: '5.0', currency: 'USD' }],
  }),
}).meta({ id: 'ShippingMethodSettings' });

export type ShippingMethodSettingsJson = z.output<typeof ShippingMethodSettingsJson>;

const fields = {
  name: text({ trim: true }),
  code: text({ trim: true }),
  admin_name: text({ trim: true }),
  tracking_url: text({ trim: true }),
  display_on: choice(DISPLAY_ON),
  tax_category_id: reference(),
  calculator_type: choice(CALCULATOR_TYPES),
  calculator_preferences: scalars(),
  zone_ids: ids(),
  shipping_category_ids: ids(),
};

export const SHIPPING_METHOD_REQUIRED = ['name', 'calculator_type', 'shipping_category_ids'] as const;

export const SHIPPING_METHOD_ATTRIBUTES = ['id', ...Object.keys(fields)];

export const ShippingMethodCreate = wrapped(
  'shipping_method',
  createSchema(fields, SHIPPING_METHOD_REQUIRED),
);
export const ShippingMethodUpdate = wrapped(
  'shipping_method',
  updateSchema(fields, SHIPPING_METHOD_REQUIRED),
);

export type ShippingMethodAttributes = z.output<typeof ShippingMethodCreate>['shipping_method'];
export type ShippingMethodChanges = z.output<typeof ShippingMethodUpdate>['shipping_method'];
