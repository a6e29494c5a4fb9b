import { z } from 'zod';
import { AddressInput } from '../../geography/addresses/addresses.schema';
import {
  decimalNumber,
  integer,
  list,
  longText,
  nested,
  price,
  reference,
  text,
  timestamp,
  wrapped,
} from '../../platform/http/fields';
import { forAdmins } from '../../platform/http/ignored-parameters';
import { LineRow, sku, variant_id } from '../order-input/line-row.schema';
import { CardInput } from '../payment-processing/card-input.schema';

/** An amount that an admin enters for the order itself; negative amounts are discounts. */
const AdjustmentRow = z.object({
  label: text({ trim: true }).optional,
  amount: decimalNumber().optional,
});

/** A payment that was made elsewhere. */
const PaymentRow = z.object({
  amount: decimalNumber({ min: '0' }).optional,
  payment_method: text().optional.meta({ description: 'The name of a payment method.' }),
  payment_method_id: reference().optional,
  state: text().optional.meta({
    description: 'One of checkout, pending, completed, failed, void and invalid. Defaults to completed.',
  }),
  status: text().optional.meta({ description: 'The same as `state`.' }),
  response_code: text().optional,
  source: nested(CardInput).meta({
    description: 'The card: `month`, `year`, `name`, `cc_type` and `last_digits`. It may have expired.',
  }),
  source_attributes: nested(CardInput),
});

const UnitRow = z.object({
  variant_id,
  sku,
  quantity: integer({ min: 1 }).optional.meta({ description: 'Defaults to 1.' }),
});

/** A shipment of a sale that was made elsewhere. */
const ShipmentRow = z.object({
  tracking: text({ trim: true }).optional,
  shipping_method: text().optional.meta({ description: 'The name of a shipping method.' }),
  shipping_method_id: reference().optional,
  cost: price().optional,
  stock_location: text().optional.meta({
    description: 'The name of a stock location. Defaults to the default location.',
  }),
  stock_location_id: reference().optional,
  shipped_at: timestamp().optional.meta({
    description: 'If present, the units left long ago: they are shipped and take no stock.',
  }),
  inventory_units: list(UnitRow).meta({
    description:
      'The units in the shipment. The first shipment without them holds all units that no shipment names.',
  }),
  inventory_units_attributes: list(UnitRow),
});

/** The attributes of POST /orders. Those from `user_id` on are ignored unless the actor is an admin. */
export const OrderCreate = wrapped(
  'order',
  z.object({
    email: text({ trim: true }).optional,
    special_instructions: longText().optional,
    bill_address: nested(AddressInput),
    bill_address_attributes: nested(AddressInput),
    ship_address: nested(AddressInput),
    ship_address_attributes: nested(AddressInput),
    line_items: list(LineRow),
    line_items_attributes: list(LineRow),
    user_id: forAdmins(
      reference().optional.meta({
        description: 'This field and the following ones are ignored unless the caller is an admin.',
      }),
    ),
    currency: forAdmins(text().optional),
    channel: forAdmins(text().optional),
    number: forAdmins(text().optional),
    completed_at: forAdmins(timestamp().optional),
    adjustments: forAdmins(list(AdjustmentRow)),
    adjustments_attributes: forAdmins(list(AdjustmentRow)),
    payments: forAdmins(list(PaymentRow)),
    payments_attributes: forAdmins(list(PaymentRow)),
    shipments: forAdmins(list(ShipmentRow)),
    shipments_attributes: forAdmins(list(ShipmentRow)),
  }),
);

export type OrderCreateInput = z.output<typeof OrderCreate>['order'];
