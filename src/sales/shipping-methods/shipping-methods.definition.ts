import { z } from 'zod';
import { ids, scalars } from '../../platform/http/fields';
import { choice, reference, text } from '../../platform/resource/columns';
import { defineResource, type JsonOf } from '../../platform/resource/definition';
import { CALCULATOR_TYPES, PREFERENCES } from '../fulfilment/calculators';
import { ShippingMethodJson } from '../order-replies/shipments.schema';

/** A shipping method, with its zones, shipping categories and calculator. */
export const ShippingMethod = defineResource({
  table: 'shipping_methods',
  name: 'shipping_method',
  schema: 'ShippingMethodSettings',
  deletion: 'soft',
  fields: {
    name: {
      type: text({ trim: true }),
      required: true,
      search: true,
      description: 'The name, as shoppers see it.',
    },
    code: {
      type: text({ trim: true }),
      nullable: true,
      search: true,
      description: 'The code of the shipping method, for integrations. Null without one.',
    },
    zones: { reply: ShippingMethodJson.shape.zones, description: 'The zones it ships to.' },
    shipping_categories: {
      reply: ShippingMethodJson.shape.shipping_categories,
      description: 'The shipping categories it ships.',
    },
    admin_name: {
      type: text({ trim: true }),
      nullable: true,
      search: true,
      description: 'A name for admins. Null without one.',
    },
    tracking_url: {
      type: text({ trim: true }),
      nullable: true,
      description: '`:tracking` stands for the tracking number.',
    },
    display_on: {
      type: choice(['both', 'back_end']),
      default: 'both',
      search: true,
      description: '`back_end`: not offered in checkouts.',
    },
    tax_category_id: {
      type: reference(),
      nullable: true,
      search: true,
      description: 'The tax category of its cost; null: untaxed.',
    },
    calculator_type: {
      type: choice(CALCULATOR_TYPES),
      required: true,
      search: true,
      description: 'How the cost is calculated. Its settings are in `calculator_preferences`.',
    },
    calculator_preferences: {
      input: scalars(PREFERENCES),
      reply: z.record(z.string(), z.union([z.string(), z.int(), z.null()])).meta({
        description:
          'All have `currency` (null: any). `flat_rate`, `per_item`: `amount`. `flat_percent`: `flat_percent`. ' +
          '`price_sack`: `normal_amount` below `minimal_amount`, else `discount_amount`. `flexi_rate`: `first_item`, ' +
          '`additional_item`, `max_items`.',
        examples: [{ amount: '5.0', currency: 'USD' }],
      }),
      listed: true,
      description: 'The settings of the calculator. See the reply for their names.',
    },
    zone_ids: {
      input: ids(),
      listed: true,
      description: 'The ids of the zones it ships to. Replaces the set.',
    },
    shipping_category_ids: {
      input: ids(),
      required: true,
      listed: true,
      description: 'The ids of the shipping categories it ships. Replaces the set.',
    },
  },
  search: {
    associations: {
      zones: {
        table: 'zones',
        on: (method, zone) =>
          `${zone}.id IN (SELECT zone_id FROM shipping_method_zones WHERE shipping_method_id = ${method}.id)`,
        attributes: { id: 'integer', name: 'text' },
      },
    },
  },
});

export type ShippingMethodSettingsJson = JsonOf<typeof ShippingMethod>;
