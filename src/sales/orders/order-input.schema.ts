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
import { trackingNumber } from '../shipments/shipments.schema';
import { nestedCard } from '../payment-processing/card-input.schema';

/** An amount that an admin enters for the order, a line item or a shipment. With `included` or a rate it is a tax. */
const AdjustmentRow = z.object({
  label: text({ trim: true }).optional.describe(
    'What the customer sees, such as `Goodwill`. Defaults to the name of the tax rate.',
  ),
  amount: decimalNumber().optional.describe('The amount, as a decimal. Below zero: a discount.'),
  included: boolean().optional.describe(
    'Of a tax: whether the price includes it. Defaults to what the tax rate says. True makes the amount a tax.',
  ),
  tax_rate: text().optional.describe(
    'The name or the id of a tax rate: the amount is this tax. Only for orders that were sold elsewhere.',
  ),
  tax_rate_id: reference().optional.describe('The id of the tax rate. Alternative to `tax_rate`.'),
  rate: decimalNumber({ min: '0', max: '1', decimals: 5 }).optional.describe(
    'The rate of a tax, such as `0.16`, if no tax rate of the store has it or the named one has another amount now. Defaults to what the amount is of its base.',
  ),
  taxed: boolean().optional.describe(
    'Of a discount or charge of a line item or shipment: whether its taxes were calculated after it. Defaults to true if there are taxes.',
  ),
});

const adjustmentsOf = (part: string) => ({
  adjustments: forAdmins(
    list(AdjustmentRow).describe(`Taxes and other amounts of the ${part}, as they were charged.`),
  ),
  adjustments_attributes: forAdmins(list(AdjustmentRow).describe('Same as `adjustments`.')),
});

/** A line item of a new order. */
const NewLineRow = LineRow.extend(adjustmentsOf('line item'));

/** A payment that was made elsewhere. */
const PaymentRow = z.object({
  amount: decimalNumber({ min: '0' }).optional.describe(
    'The amount, as a decimal in the currency of the order.',
  ),
  payment_method: text().optional.describe('The name of a payment method.'),
  payment_method_id: reference().optional,
  state: text().optional.describe(
    'One of checkout, pending, completed, failed, void and invalid. Defaults to completed.',
  ),
  status: text().optional.describe('The same as `state`.'),
  response_code: text().optional.describe(
    'The id of the transaction at the provider, as needed to capture, void or refund it later.',
  ),
  source: nestedCard().describe(
    'The card: `month`, `year`, `name`, `cc_type` and `last_digits`. It may have expired.',
  ),
  source_attributes: nestedCard().describe('Same as `source`.'),
});

const UnitRow = z.object({
  variant_id: variant_id.describe('The id of the variant. Alternative to `sku`.'),
  sku: sku.describe('The SKU of the variant. Alternative to `variant_id`.'),
  quantity: integer({ min: 1 }).optional.describe('Defaults to 1.'),
});

/** A shipment of a sale that was made elsewhere. */
const ShipmentRow = z.object({
  tracking: trackingNumber.optional.describe('The tracking number.'),
  shipping_method: text().optional.describe('The name of a shipping method.'),
  shipping_method_id: reference().optional,
  cost: price().optional.describe('What the customer paid for the shipment, as a decimal.'),
  stock_location: text().optional.describe('The name of a stock location. Defaults to the default location.'),
  stock_location_id: reference().optional,
  shipped_at: timestamp().optional.describe(
    'If present, the units left long ago: they are shipped and take no stock.',
  ),
  inventory_units: list(UnitRow).describe(
    'The units in the shipment. The first shipment without them holds all units that no shipment names.',
  ),
  inventory_units_attributes: list(UnitRow).describe('Same as `inventory_units`.'),
  ...adjustmentsOf('shipment'),
});

/** The attributes of POST /orders. Those from `user_id` on are ignored unless the actor is an admin. */
export const OrderCreate = wrapped(
  'order',
  z.object({
    email: text({ trim: true }).optional.describe(
      'The e-mail address of the buyer. Defaults to that of the account.',
    ),
    special_instructions: longText().optional.describe(
      'Instructions of the buyer, such as for the delivery.',
    ),
    vat_id: vatId,
    use_billing: boolean().optional.describe('Whether the bill address is also the ship address.'),
    bill_address: nested(AddressInput).describe('The bill address.'),
    bill_address_attributes: nested(AddressInput),
    ship_address: nested(AddressInput).describe('The ship address.'),
    ship_address_attributes: nested(AddressInput),
    line_items: list(NewLineRow).describe('The line items, by variant or SKU.'),
    line_items_attributes: list(NewLineRow).describe('Same as `line_items`.'),
    user_id: forAdmins(
      reference().optional.describe(
        'This field and the following ones are ignored unless the caller is an admin.',
      ),
    ),
    currency: forAdmins(text().optional.describe('The ISO 4217 currency. Defaults to that of the store.')),
    channel: forAdmins(text().optional.describe('Where the order was sold. Defaults to `store`.')),
    number: forAdmins(text().optional.describe('The number of the order. Defaults to a new one.')),
    completed_at: forAdmins(
      timestamp().optional.describe(
        'When the order was sold elsewhere. If present, the order is recorded as complete.',
      ),
    ),
    invoice_number: forAdmins(
      text({ trim: true, max: 64 }).optional.describe(
        'The number of the invoice that was made elsewhere. It begins the documents of the order; none is made at the import.',
      ),
    ),
    invoiced_at: forAdmins(
      timestamp().optional.describe('When that invoice was made. Defaults to `completed_at`.'),
    ),
    documents: forAdmins(
      boolean().optional.describe('False makes no invoice at the import, as `invoice_number` does.'),
    ),
    adjustments: forAdmins(
      list(AdjustmentRow).describe(
        'Amounts to add to or subtract from the order. If the line items and shipments of an import have no taxes, those of the order are shared among them.',
      ),
    ),
    adjustments_attributes: forAdmins(list(AdjustmentRow).describe('Same as `adjustments`.')),
    payments: forAdmins(list(PaymentRow).describe('The payments that were made elsewhere.')),
    payments_attributes: forAdmins(list(PaymentRow).describe('Same as `payments`.')),
    shipments: forAdmins(list(ShipmentRow).describe('The shipments of the sale.')),
    shipments_attributes: forAdmins(list(ShipmentRow).describe('Same as `shipments`.')),
    ...metadataInput,
  }),
);

export type OrderCreateInput = z.output<typeof OrderCreate>['order'];
