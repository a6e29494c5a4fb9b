import z from 'zod';
import { AdjustmentJson } from './adjustments.schema';
import { SHIPMENT_STATES } from '../order/states';
import { namedObject } from '../../platform/http/named-object';

export const ShippingRateJson = namedObject('ShippingRate', {
  id: z.int(),
  name: z.string().describe('The name of the shipping method.'),
  cost: z.string().describe('The cost, as a decimal in the currency of the order.'),
  selected: z.boolean().describe('Whether the shipment uses this rate.'),
  shipping_method_id: z.int(),
  shipping_method_code: z.string().nullable().describe('The code of the shipping method. Null without one.'),
  display_cost: z.string(),
});

export type ShippingRateJson = z.output<typeof ShippingRateJson>;

const ZoneMemberJson = z.object({
  id: z.int(),
  zoneable_type: z.enum(['Store::Country', 'Store::State']),
  zoneable_id: z.int(),
});

export const ShippingMethodJson = namedObject('ShippingMethod', {
  id: z.int(),
  code: z
    .string()
    .nullable()
    .describe('The code of the shipping method, for integrations. Null without one.'),
  name: z.string().describe('The name of the shipping method, as shoppers see it.'),
  zones: z
    .array(
      z.object({
        id: z.int(),
        name: z.string().describe('The name of the zone.'),
        description: z.string().nullable().describe('A note for admins. Null without one.'),
        zone_members: z
          .array(ZoneMemberJson)
          .optional()
          .describe('Only in replies of the shipment endpoints.'),
      }),
    )
    .describe('The zones it ships to.'),
  shipping_categories: z
    .array(
      z.object({
        id: z.int(),
        name: z.string().describe('The name of the shipping category.'),
      }),
    )
    .describe('The shipping categories it ships.'),
});

export type ShippingMethodJson = z.output<typeof ShippingMethodJson>;

/** Number of units by state. States without units are omitted. */
export const UnitStatesJson = z.object({
  on_hand: z.int().optional().describe('Units that are in stock for the shipment.'),
  backordered: z.int().optional().describe('Units that wait for stock.'),
  shipped: z.int().optional().describe('Units that have shipped.'),
  returned: z.int().optional().describe('Units that came back.'),
});

export type UnitStatesJson = z.output<typeof UnitStatesJson>;

/** The fields that all forms of a shipment have. */
export const shipmentFields = {
  id: z.int(),
  tracking: z.string().nullable().describe('The tracking number. Null without one.'),
  tracking_url: z
    .string()
    .nullable()
    .describe(
      'The URL that was set for the shipment, or that of the shipping method with the tracking number.',
    ),
  number: z.string().describe('The number of the shipment, such as `H71047039032`. Unique.'),
  cost: z
    .string()
    .describe('What the customer pays for the shipment, as a decimal in the currency of the order.'),
  shipped_at: z.string().nullable().describe('When the shipment was shipped. Null until then.'),
  state: z
    .enum(SHIPMENT_STATES)
    .describe(
      'The state of the shipment: `pending` until the order is paid and in stock, then `ready`. /docs/state-machines has all transitions.',
    ),
  order_id: z.string().describe('The number of the order.'),
  stock_location_name: z.string().describe('The name of the stock location that ships it.'),
  updated_at: z.string(),
  shipping_methods: z.array(ShippingMethodJson).describe('The shipping methods of its rates.'),
  adjustments: z
    .array(AdjustmentJson)
    .describe('The taxes, discounts and manual adjustments of the shipment.'),
};

export type ShipmentFieldsJson = z.output<z.ZodObject<typeof shipmentFields>>;
