import { z } from 'zod';
import { PAYMENT_STATES } from '../order/states';
import { VariantJson } from '../../catalog/variants/variants.schema';
import { AddressJson } from '../../geography/addresses/addresses.schema';
import { AdjustmentJson } from '../order-replies/adjustments.schema';
import { InventoryUnitJson, OrderJson } from '../order-replies/orders.schema';
import { shipmentFields, ShippingRateJson, UnitStatesJson } from '../order-replies/shipments.schema';
import { namedObject } from '../../platform/http/named-object';

/**
 * A shipment in replies of the shipment endpoints: the selected rate in an array, full variants in the manifest, and
 * the address it goes to.
 */
export const ShipmentJson = namedObject('Shipment', {
  ...shipmentFields,
  ship_address: AddressJson.nullable().describe('The address that the shipment goes to. Null without one.'),
  shipping_rates: z.array(ShippingRateJson).describe('The shipping rates that the shipment can have.'),
  selected_shipping_rate: z.array(ShippingRateJson).describe('At most one.'),
  manifest: z
    .array(
      z.object({
        variant: VariantJson.describe('The variant.'),
        quantity: z.int().describe('The number of units of the variant in the shipment.'),
        states: UnitStatesJson.describe('The number of units by state. States without units are omitted.'),
      }),
    )
    .describe('The contents of the shipment, by variant.'),
});

export type ShipmentJson = z.output<typeof ShipmentJson>;

/** A shipment in its customer's list: with its units and its order, and only the selected rate. */
export const OwnShipmentJson = namedObject('OwnShipment', {
  ...shipmentFields,
  selected_shipping_rate: ShippingRateJson.nullable().describe(
    'The selected shipping rate. Null if no shipping method is available.',
  ),
  inventory_units: z.array(InventoryUnitJson).describe('The units in the shipment.'),
  order: OrderJson.extend({
    bill_address: AddressJson.nullable(),
    ship_address: AddressJson.nullable(),
    adjustments: z.array(AdjustmentJson).describe('Adjustments of the order itself.'),
    payments: z
      .array(
        z.object({
          id: z.int(),
          amount: z.string().describe('The amount, as a decimal in the currency of the order.'),
          display_amount: z.string(),
          state: z.enum(PAYMENT_STATES).describe('The state of the payment.'),
          payment_method: z
            .object({
              id: z.int(),
              name: z.string().describe('The name of the payment method.'),
            })
            .describe('The payment method.'),
        }),
      )
      .describe('The payments of the order, oldest first.'),
  }).describe('The order of the shipment.'),
});

export type OwnShipmentJson = z.output<typeof OwnShipmentJson>;
