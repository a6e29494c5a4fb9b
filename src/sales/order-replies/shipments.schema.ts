import z from 'zod';
import { AdjustmentJson } from './adjustments.schema';

export const ShippingRateJson = z
  .object({
    id: z.int(),
    name: z.string(),
    cost: z.string(),
    selected: z.boolean(),
    shipping_method_id: z.int(),
    shipping_method_code: z.string().nullable(),
    display_cost: z.string(),
  })
  .meta({ id: 'ShippingRate' });

export type ShippingRateJson = z.output<typeof ShippingRateJson>;

const ZoneMemberJson = z.object({
  id: z.int(),
  zoneable_type: z.enum(['Store::Country', 'Store::State']),
  zoneable_id: z.int(),
});

export const ShippingMethodJson = z
  .object({
    id: z.int(),
    code: z.string().nullable(),
    name: z.string(),
    zones: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        description: z.string().nullable(),
        zone_members: z
          .array(ZoneMemberJson)
          .optional()
          .meta({ description: 'Only in replies of the shipment endpoints.' }),
      }),
    ),
    shipping_categories: z.array(z.object({ id: z.int(), name: z.string() })),
  })
  .meta({ id: 'ShippingMethod' });

export type ShippingMethodJson = z.output<typeof ShippingMethodJson>;

/** Number of units by state. States without units are omitted. */
export const UnitStatesJson = z.object({
  on_hand: z.int().optional(),
  backordered: z.int().optional(),
  shipped: z.int().optional(),
  returned: z.int().optional(),
});

export type UnitStatesJson = z.output<typeof UnitStatesJson>;

/** The fields that all forms of a shipment have. */
export const shipmentFields = {
  id: z.int(),
  tracking: z.string().nullable(),
  tracking_url: z
    .string()
    .nullable()
    .meta({ description: 'The `tracking_url` of the shipping method with the tracking number.' }),
  number: z.string(),
  cost: z.string(),
  shipped_at: z.string().nullable(),
  state: z.enum(['pending', 'ready', 'shipped', 'canceled']),
  order_id: z.string().meta({ description: 'The number of the order.' }),
  stock_location_name: z.string(),
  updated_at: z.string(),
  shipping_methods: z.array(ShippingMethodJson),
  adjustments: z.array(AdjustmentJson),
};

export type ShipmentFieldsJson = z.output<z.ZodObject<typeof shipmentFields>>;
