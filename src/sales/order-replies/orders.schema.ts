import { z } from 'zod';
import { metadataReply } from '../../access/metadata';
import { PAID_STEPS } from '../order/checkout-steps';
import { MIXED_SHIPMENT_STATES, ORDER_PAYMENT_STATES } from '../order/order-totals';
import { INVENTORY_UNIT_STATES, ORDER_STATES, SHIPMENT_STATES } from '../order/states';
import { VariantJson } from '../../catalog/variants/variants.schema';
import { AddressJson } from '../../geography/addresses/addresses.schema';
import { AdjustmentJson } from './adjustments.schema';
import { CreditCardJson, OfferedPaymentMethodJson, OrderPaymentJson } from './payments.schema';
import { shipmentFields, ShippingRateJson, UnitStatesJson } from './shipments.schema';
import { namedObject } from '../../platform/http/named-object';

const amount = z.string();

/** The index form: the order without nested records. */
export const OrderJson = namedObject('OrderSummary', {
  id: z.int(),
  number: z.string().describe('The number of the order, such as `R268286187`. Unique.'),
  item_total: amount.describe(
    'The sum of price x quantity of the line items, as a decimal in the currency of the order.',
  ),
  total: amount.describe(
    'What the order costs: `item_total` + `ship_total` + `adjustment_total`, as a decimal in the currency of the order.',
  ),
  ship_total: amount.describe(
    'The sum of the costs of the shipments, as a decimal in the currency of the order.',
  ),
  state: z
    .enum(ORDER_STATES)
    .describe(
      'The step of the checkout, or what became of the complete order. /docs/state-machines has all transitions.',
    ),
  adjustment_total: amount.describe(
    'Eligible discounts, taxes that are not included in prices, credits of returns and manual adjustments, as a decimal in the currency of the order.',
  ),
  user_id: z.int().nullable().describe('The id of the account that owns the order. Null for guests.'),
  created_at: z.string(),
  updated_at: z.string(),
  completed_at: z.string().nullable().describe('When the order was placed. Null until then.'),
  payment_total: amount.describe(
    'Completed payments minus their refunds, as a decimal in the currency of the order.',
  ),
  shipment_state: z
    .enum([...SHIPMENT_STATES, ...MIXED_SHIPMENT_STATES])
    .nullable()
    .describe(
      'The state that all shipments share, `partial` if they differ, or `backorder` if a unit is backordered. Null until the order is complete, and without shipments.',
    ),
  payment_state: z
    .enum(ORDER_PAYMENT_STATES)
    .nullable()
    .describe(
      'Whether the customer owes money (`balance_due`), is owed money (`credit_owed`), or neither (`paid`); `failed` if all payments failed, `void` if the order was canceled without a payment. Null until the order is complete.',
    ),
  email: z.string().nullable().describe('The e-mail address of the buyer. Null until it is entered.'),
  special_instructions: z.string().nullable().describe('Instructions of the buyer. Null without any.'),
  vat_id: z.string().nullable().describe('The VAT id of the buyer, for invoices. Null without one.'),
  channel: z.string().describe('Where the order was sold; `store` for orders of this API.'),
  included_tax_total: amount.describe(
    'The taxes that are included in prices, as a decimal in the currency of the order.',
  ),
  additional_tax_total: amount.describe(
    'The taxes that are added to prices, as a decimal in the currency of the order.',
  ),
  tax_total: amount.describe('All taxes, as a decimal in the currency of the order.'),
  display_included_tax_total: z.string().describe('`included_tax_total`, formatted for display.'),
  display_additional_tax_total: z.string().describe('`additional_tax_total`, formatted for display.'),
  currency: z
    .string()
    .describe('The ISO 4217 currency of all amounts of the order. Fixed when the order is created.'),
  considered_risky: z
    .boolean()
    .describe(
      'Whether the order needs a check before it ships: a payment failed, or the address or card verification did not match. `approve` clears it.',
    ),
  canceler_id: z
    .int()
    .nullable()
    .describe('The id of the account that canceled the order. Null unless a user canceled it.'),
  display_item_total: z.string().describe('`item_total`, formatted for display.'),
  total_quantity: z.int().describe('The number of units in the order.'),
  display_total: z.string().describe('`total`, formatted for display.'),
  display_ship_total: z.string().describe('`ship_total`, formatted for display.'),
  display_tax_total: z.string().describe('`tax_total`, formatted for display.'),
  display_adjustment_total: z.string().describe('`adjustment_total`, formatted for display.'),
  token: z.string().describe('Gives access to this order, when sent as X-Order-Token or order_token.'),
  checkout_steps: z
    .array(z.enum(PAID_STEPS))
    .describe('The steps of the checkout of this order. A free order has neither `payment` nor `confirm`.'),
  ...metadataReply,
});

export type OrderJson = z.output<typeof OrderJson>;

export const LineItemJson = namedObject('LineItem', {
  id: z.int(),
  quantity: z.int().describe('The number of units.'),
  price: amount.describe(
    'The price of one unit when it was added, as a decimal in the currency of the order.',
  ),
  variant_id: z.int(),
  single_display_amount: z.string().describe('`price`, formatted for display.'),
  display_amount: z.string().describe('price x quantity, formatted for display.'),
  display_total: z.string().describe('`total`, formatted for display.'),
  total: amount.describe('price x quantity plus the adjustments of the line item.'),
  adjustments: z
    .array(AdjustmentJson)
    .describe('The taxes, discounts and manual adjustments of the line item.'),
  variant: VariantJson.describe('The variant.'),
  ...metadataReply,
});

export type LineItemJson = z.output<typeof LineItemJson>;

export const InventoryUnitJson = namedObject('InventoryUnit', {
  id: z.int(),
  state: z.enum(INVENTORY_UNIT_STATES).describe('The state of the unit.'),
  variant_id: z.int(),
  shipment_id: z.int(),
  variant: VariantJson.describe('The variant.'),
  line_item: z
    .object({
      id: z.int(),
      quantity: z.int().describe('The number of units of the line item.'),
      price: amount.describe('The price of one unit, as a decimal in the currency of the order.'),
      variant_id: z.int(),
    })
    .nullable()
    .describe('The line item of the unit. Null if it was removed.'),
});

export type InventoryUnitJson = z.output<typeof InventoryUnitJson>;

/** A shipment inside an order: the selected rate is an object, and the manifest has variant ids. */
export const OrderShipmentJson = namedObject('OrderShipment', {
  ...shipmentFields,
  shipping_rates: z.array(ShippingRateJson).describe('The shipping rates that the shipment can have.'),
  selected_shipping_rate: ShippingRateJson.nullable().describe(
    'The selected shipping rate. Null if no shipping method is available.',
  ),
  manifest: z
    .array(
      z.object({
        variant_id: z.int(),
        quantity: z.int().describe('The number of units of the variant in the shipment.'),
        states: UnitStatesJson.describe('The number of units by state. States without units are omitted.'),
      }),
    )
    .describe('The contents of the shipment, by variant.'),
  inventory_units: z.array(InventoryUnitJson).optional().describe('Only if the order is in state delivery.'),
  order: OrderJson.optional().describe('Only if the order is in state delivery.'),
});

export type OrderShipmentJson = z.output<typeof OrderShipmentJson>;

/** The detail form: the order with its nested records. */
export const OrderDetailJson = OrderJson.extend({
  bill_address: AddressJson.nullable().describe('The bill address. Null until it is entered.'),
  ship_address: AddressJson.nullable(),
  line_items: z.array(LineItemJson).describe('The line items, oldest first.'),
  payments: z.array(OrderPaymentJson).describe('The payments, oldest first.'),
  shipments: z.array(OrderShipmentJson).describe('The shipments. Empty until the order has a ship address.'),
  adjustments: z
    .array(AdjustmentJson)
    .describe('Adjustments of the order itself; line items and shipments contain their own.'),
  credit_cards: z
    .array(CreditCardJson)
    .describe(
      'The cards of the payments that are neither failed nor invalid, for the signed-in owner and for staff with `payments:write`; empty for others.',
    ),
  permissions: z
    .object({ can_update: z.boolean().describe('Whether the caller may update the order.') })
    .describe('What the caller may do with the order.'),
  payment_methods: z
    .array(OfferedPaymentMethodJson)
    .optional()
    .describe('Only if the order is in state payment or confirm.'),
}).meta({ id: 'Order' });

export type OrderDetailJson = z.output<typeof OrderDetailJson>;
