import { z } from 'zod';
import { vatId } from '../../accounts/vat-id';
import { metadataInput } from '../../access/metadata';
import { AddressInput } from '../../geography/addresses/addresses.schema';
import {
  boolean,
  decimalNumber,
  integer,
  list,
  longText,
  nested,
  price,
  reference,
  text,
  timestamp,
} from '../../platform/http/fields';
import { wrapped } from '../../platform/http/field-schemas';
import { forAdmins } from '../../platform/http/ignored-parameters';
import { LineRow, sku, variant_id } from '../order-input/line-row.schema';
import { nestedCard } from '../payment-processing/card-input.schema';

/** An amount that an admin enters for the order, a line item or a shipment. With `included` or a rate it is a tax. */
const AdjustmentRow = z.object({
  label: text({ trim: true }).optional.meta({
    description: 'What the customer sees, such as `Goodwill`. Defaults to the name of the tax rate.',
  }),
  amount: decimalNumber().optional.meta({ description: 'The amount, as a decimal. Below zero: a discount.' }),
  included: boolean().optional.meta({
    description:
      'Of a tax: whether the price includes it. Defaults to what the tax rate says. True makes the amount a tax.',
  }),
  tax_rate: text().optional.meta({
    description:
      'The name or the id of a tax rate: the amount is this tax. Only for orders that were sold elsewhere.',
  }),
  tax_rate_id: reference().optional.meta({
    description: 'The id of the tax rate. Alternative to `tax_rate`.',
  }),
  rate: decimalNumber({ min: '0', max: '1', decimals: 5 }).optional.meta({
    description:
      'The rate of a tax that no tax rate of the store has, such as `0.16`. Defaults to what the amount is of its base.',
  }),
  taxed: boolean().optional.meta({
    description:
      'Of a discount or charge of a line item or shipment: whether its taxes were calculated after it. Defaults to true if there are taxes.',
  }),
});

const adjustmentsOf = (part: string) =>
  forAdmins(
    list(AdjustmentRow).meta({
      description: `Taxes and other amounts of the ${part}, as they were charged.`,
    }),
  );

/** A line item of a new order. */
const NewLineRow = LineRow.extend({ adjustments: adjustmentsOf('line item') });

/** A payment that was made elsewhere. */
const PaymentRow = z.object({
  amount: decimalNumber({ min: '0' }).optional.meta({
    description: 'The amount, as a decimal in the currency of the order.',
  }),
  payment_method: text().optional.meta({ description: 'The name of a payment method.' }),
  payment_method_id: reference().optional,
  state: text().optional.meta({
    description: 'One of checkout, pending, completed, failed, void and invalid. Defaults to completed.',
  }),
  status: text().optional.meta({ description: 'The same as `state`.' }),
  response_code: text().optional.meta({
    description: 'The id of the transaction at the provider, as needed to capture, void or refund it later.',
  }),
  source: nestedCard().meta({
    description: 'The card: `month`, `year`, `name`, `cc_type` and `last_digits`. It may have expired.',
  }),
  source_attributes: nestedCard().meta({ description: 'Same as `source`.' }),
});

const UnitRow = z.object({
  variant_id: variant_id.meta({ description: 'The id of the variant. Alternative to `sku`.' }),
  sku: sku.meta({ description: 'The SKU of the variant. Alternative to `variant_id`.' }),
  quantity: integer({ min: 1 }).optional.meta({ description: 'Defaults to 1.' }),
});

/** A shipment of a sale that was made elsewhere. */
const ShipmentRow = z.object({
  tracking: text({ trim: true }).optional.meta({ description: 'The tracking number.' }),
  shipping_method: text().optional.meta({ description: 'The name of a shipping method.' }),
  shipping_method_id: reference().optional,
  cost: price().optional.meta({ description: 'What the customer paid for the shipment, as a decimal.' }),
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
  inventory_units_attributes: list(UnitRow).meta({ description: 'Same as `inventory_units`.' }),
  adjustments: list(AdjustmentRow).meta({
    description: 'Taxes and other amounts of the shipment, as they were charged.',
  }),
});

/** The attributes of POST /orders. Those from `user_id` on are ignored unless the actor is an admin. */
export const OrderCreate = wrapped(
  'order',
  z.object({
    email: text({ trim: true }).optional.meta({
      description: 'The e-mail address of the buyer. Defaults to that of the account.',
    }),
    special_instructions: longText().optional.meta({
      description: 'Instructions of the buyer, such as for the delivery.',
    }),
    vat_id: vatId,
    bill_address: nested(AddressInput).meta({ description: 'The bill address.' }),
    bill_address_attributes: nested(AddressInput),
    ship_address: nested(AddressInput).meta({ description: 'The ship address.' }),
    ship_address_attributes: nested(AddressInput),
    line_items: list(NewLineRow).meta({ description: 'The line items, by variant or SKU.' }),
    line_items_attributes: list(NewLineRow).meta({ description: 'Same as `line_items`.' }),
    user_id: forAdmins(
      reference().optional.meta({
        description: 'This field and the following ones are ignored unless the caller is an admin.',
      }),
    ),
    currency: forAdmins(
      text().optional.meta({ description: 'The ISO 4217 currency. Defaults to that of the store.' }),
    ),
    channel: forAdmins(
      text().optional.meta({ description: 'Where the order was sold. Defaults to `store`.' }),
    ),
    number: forAdmins(
      text().optional.meta({ description: 'The number of the order. Defaults to a new one.' }),
    ),
    completed_at: forAdmins(
      timestamp().optional.meta({
        description: 'When the order was sold elsewhere. If present, the order is recorded as complete.',
      }),
    ),
    invoice_number: forAdmins(
      text({ trim: true, max: 64 }).optional.meta({
        description:
          'The number of the invoice that was made elsewhere. It begins the documents of the order; none is made at the import.',
      }),
    ),
    invoiced_at: forAdmins(
      timestamp().optional.meta({ description: 'When that invoice was made. Defaults to `completed_at`.' }),
    ),
    documents: forAdmins(
      boolean().optional.meta({
        description: 'False makes no invoice at the import, as `invoice_number` does.',
      }),
    ),
    adjustments: forAdmins(
      list(AdjustmentRow).meta({ description: 'Amounts to add to or subtract from the order.' }),
    ),
    adjustments_attributes: forAdmins(list(AdjustmentRow).meta({ description: 'Same as `adjustments`.' })),
    payments: forAdmins(list(PaymentRow).meta({ description: 'The payments that were made elsewhere.' })),
    payments_attributes: forAdmins(list(PaymentRow).meta({ description: 'Same as `payments`.' })),
    shipments: forAdmins(list(ShipmentRow).meta({ description: 'The shipments of the sale.' })),
    shipments_attributes: forAdmins(list(ShipmentRow).meta({ description: 'Same as `shipments`.' })),
    ...metadataInput,
  }),
);

export type OrderCreateInput = z.output<typeof OrderCreate>['order'];
