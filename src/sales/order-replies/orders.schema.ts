import { z } from 'zod';
import { VariantJson } from '../../catalog/variants/variants.schema';
import { AddressJson } from '../../geography/addresses/addresses.schema';
import { AdjustmentJson } from './adjustments.schema';
import { CreditCardJson, OfferedPaymentMethodJson, OrderPaymentJson } from './payments.schema';
import { shipmentFields, ShippingRateJson, UnitStatesJson } from './shipments.schema';

const amount = z.string();

/** The index form: the order without nested records. */
export const OrderJson = z
  .object({
    id: z.int(),
    number: z.string(),
    item_total: amount,
    total: amount,
    ship_total: amount,
    state: z.enum([
      'cart',
      'address',
      'delivery',
      'payment',
      'confirm',
      'complete',
      'canceled',
      'awaiting_return',
      'returned',
      'resumed',
    ]),
    adjustment_total: amount,
    user_id: z.int().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    completed_at: z.string().nullable(),
    payment_total: amount,
    shipment_state: z.string().nullable(),
    payment_state: z.string().nullable(),
    email: z.string().nullable(),
    special_instructions: z.string().nullable(),
    channel: z.string(),
    included_tax_total: amount,
    additional_tax_total: amount,
    tax_total: amount,
    display_included_tax_total: z.string(),
    display_additional_tax_total: z.string(),
    currency: z.string(),
    considered_risky: z.boolean(),
    canceler_id: z.int().nullable(),
    display_item_total: z.string(),
    total_quantity: z.int(),
    display_total: z.string(),
    display_ship_total: z.string(),
    display_tax_total: z.string(),
    display_adjustment_total: z.string(),
    token: z.string().meta({
      description:
        'Gives access to this order, when sent as X-Order-Token or order_token. Empty for callers who may not update the order.',
    }),
    checkout_steps: z.array(z.string()),
  })
  .meta({ id: 'OrderSummary' });

export type OrderJson = z.output<typeof OrderJson>;

export const LineItemJson = z
  .object({
    id: z.int(),
    quantity: z.int(),
    price: amount,
    variant_id: z.int(),
    single_display_amount: z.string(),
    display_amount: z.string(),
    display_total: z.string(),
    total: amount.meta({ description: 'price x quantity plus the adjustments of the line item.' }),
    adjustments: z.array(AdjustmentJson),
    variant: VariantJson,
  })
  .meta({ id: 'LineItem' });

export type LineItemJson = z.output<typeof LineItemJson>;

export const InventoryUnitJson = z
  .object({
    id: z.int(),
    state: z.enum(['on_hand', 'backordered', 'shipped', 'returned']),
    variant_id: z.int(),
    shipment_id: z.int(),
    variant: VariantJson,
    line_item: z.object({ id: z.int(), quantity: z.int(), price: amount, variant_id: z.int() }).nullable(),
  })
  .meta({ id: 'InventoryUnit' });

export type InventoryUnitJson = z.output<typeof InventoryUnitJson>;

/** A shipment inside an order: the selected rate is an object, and the manifest has variant ids. */
export const OrderShipmentJson = z
  .object({
    ...shipmentFields,
    shipping_rates: z.array(ShippingRateJson),
    selected_shipping_rate: ShippingRateJson.nullable(),
    manifest: z.array(z.object({ variant_id: z.int(), quantity: z.int(), states: UnitStatesJson })),
    inventory_units: z
      .array(InventoryUnitJson)
      .optional()
      .meta({ description: 'Only if the order is in state delivery.' }),
    order: OrderJson.optional().meta({ description: 'Only if the order is in state delivery.' }),
  })
  .meta({ id: 'OrderShipment' });

export type OrderShipmentJson = z.output<typeof OrderShipmentJson>;

/** The detail form: the order with its nested records. */
export const OrderDetailJson = OrderJson.extend({
  bill_address: AddressJson.nullable(),
  ship_address: AddressJson.nullable(),
  line_items: z.array(LineItemJson),
  payments: z.array(OrderPaymentJson),
  shipments: z.array(OrderShipmentJson),
  adjustments: z
    .array(AdjustmentJson)
    .meta({ description: 'Adjustments of the order itself; line items and shipments contain their own.' }),
  credit_cards: z.array(CreditCardJson),
  permissions: z.object({ can_update: z.boolean() }),
  payment_methods: z
    .array(OfferedPaymentMethodJson)
    .optional()
    .meta({ description: 'Only if the order is in state payment or confirm.' }),
}).meta({ id: 'Order' });

export type OrderDetailJson = z.output<typeof OrderDetailJson>;
