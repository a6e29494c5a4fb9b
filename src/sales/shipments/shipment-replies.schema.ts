import { z } from 'zod';
import { VariantJson } from '../../catalog/variants/variants.schema';
import { AddressJson } from '../../geography/addresses/addresses.schema';
import { AdjustmentJson } from '../order-replies/adjustments.schema';
import { InventoryUnitJson, OrderJson } from '../order-replies/orders.schema';
import { shipmentFields, ShippingRateJson, UnitStatesJson } from '../order-replies/shipments.schema';

/**
 * A shipment in replies of the shipment endpoints: the selected rate in an array, full variants in the manifest, and the
 * address it goes to.
 */
export const ShipmentJson = z
  .object({
    ...shipmentFields,
    ship_address: AddressJson.nullable(),
    shipping_rates: z.array(ShippingRateJson),
    selected_shipping_rate: z.array(ShippingRateJson).meta({ description: 'At most one.' }),
    manifest: z.array(z.object({ variant: VariantJson, quantity: z.int(), states: UnitStatesJson })),
  })
  .meta({ id: 'Shipment' });

export type ShipmentJson = z.output<typeof ShipmentJson>;

/** A shipment in its customer's list: with its units and its order, and only the selected rate. */
export const OwnShipmentJson = z
  .object({
    ...shipmentFields,
    selected_shipping_rate: ShippingRateJson.nullable(),
    inventory_units: z.array(InventoryUnitJson),
    order: OrderJson.extend({
      bill_address: AddressJson.nullable(),
      ship_address: AddressJson.nullable(),
      adjustments: z.array(AdjustmentJson).meta({ description: 'Adjustments of the order itself.' }),
      payments: z.array(
        z.object({
          id: z.int(),
          amount: z.string(),
          display_amount: z.string(),
          state: z.string(),
          payment_method: z.object({ id: z.int(), name: z.string() }),
        }),
      ),
    }),
  })
  .meta({ id: 'OwnShipment' });

export type OwnShipmentJson = z.output<typeof OwnShipmentJson>;
