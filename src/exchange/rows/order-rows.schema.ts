import { z } from 'zod';
import { readAddressCells } from '../../accounts/users/customer-rows';
import { vatId } from '../../accounts/vat-id';
import { decimalNumber, email, integer, longText, price, text, timestamp } from '../../platform/http/fields';
import type { SoldRow } from '../../sales/orders/sold-rows';
import { addressCells } from './customer-rows.schema';
import { currencyCode, flagCell } from './row-fields';

const name = text({ trim: true }).optional;
const amount = decimalNumber().optional;
const rate = decimalNumber({ min: '0', max: '1', decimals: 5 }).optional;
const time = timestamp().optional;

/** What a row says of its order. */
const orderCells = {
  email: email().optional,
  completed_at: time,
  currency: currencyCode,
  channel: name,
  vat_id: vatId,
  special_instructions: longText().optional,
  shipping_method: name,
  stock_location: name,
  tracking: name,
  shipped_at: time,
  ship_total: price().optional,
  ship_tax_rate: name,
  ship_rate: rate,
  ship_tax: amount,
  ship_tax_included: flagCell,
  order_adjustment: amount,
  order_adjustment_label: name,
  payment_method: name,
  paid: decimalNumber({ min: '0' }).optional,
  payment_reference: name,
  invoice_number: text({ trim: true, max: 64 }).optional,
  invoiced_at: time,
  documents: flagCell,
  total: amount,
};

/** What a row says of its line item. */
const lineCells = {
  number: text({ trim: true, max: 32 }).required,
  sku: text().required,
  quantity: integer({ min: 1 }).optional,
  price: price().required,
  tax_rate: name,
  rate,
  tax: amount,
  tax_included: flagCell,
  adjustment: amount,
  adjustment_label: name,
};

const ORDER_FIELDS = z.object(orderCells);

/** A row of a file of kind `orders`: a line item, and what the file says of its order. */
export const OrderCells = z.object({
  ...lineCells,
  ...orderCells,
  ...addressCells('bill'),
  ...addressCells('ship'),
});

/** Returns the line item of a row and what it says of its order. A blank cell says nothing, except `shipped_at`: not yet. */
export function toSoldRow(cells: z.output<typeof OrderCells>): SoldRow {
  const { number, sku, quantity, price: each, tax_rate, rate: taxRate, tax, tax_included, ...rest } = cells;
  const { adjustment, adjustment_label, ...others } = rest;
  const order = ORDER_FIELDS.keyof().options.flatMap((column) =>
    others[column] === undefined ? [] : [[column, others[column] === '' ? null : others[column]]],
  );
  return {
    number,
    sku,
    quantity,
    price: each,
    tax_rate,
    rate: taxRate,
    tax,
    tax_included,
    adjustment,
    adjustment_label,
    order: {
      ...(Object.fromEntries(order) as z.output<typeof ORDER_FIELDS>), // the columns of its own schema
      bill_address: readAddressCells('bill', others),
      ship_address: readAddressCells('ship', others),
    },
  };
}
