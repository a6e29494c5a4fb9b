import { vatId } from '../../accounts/vat-id';
import { currencyCode, flagCell } from '../../platform/csv/cells';
import { decimalNumber, email, integer, longText, price, text, timestamp } from '../../platform/http/fields';
import { trackingNumber } from '../shipments/shipments.schema';

const name = text({ trim: true }).optional;
const amount = decimalNumber().optional;
const rate = decimalNumber({ min: '0', max: '1', decimals: 5 }).optional;
const time = timestamp().optional;

/** What a row says of its order. */
export const orderCells = {
  email: email().optional,
  completed_at: time,
  currency: currencyCode,
  channel: name,
  vat_id: vatId,
  special_instructions: longText().optional,
  shipping_method: name,
  stock_location: name,
  tracking: trackingNumber.optional,
  /** Undefined: with the completion of the order. Null: not yet. */
  shipped_at: time,
  ship_total: price().optional,
  ship_tax_rate: name,
  ship_rate: rate,
  ship_tax: amount,
  ship_tax_included: flagCell,
  order_adjustment: amount,
  order_adjustment_label: name,
  payment_method: name,
  /** Defaults to the total. */
  paid: decimalNumber({ min: '0' }).optional,
  payment_reference: name,
  invoice_number: text({ trim: true, max: 64 }).optional,
  invoiced_at: time,
  documents: flagCell,
  /** What the order must cost. */
  total: amount,
};

/** What a row says of its line item. */
export const lineCells = {
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
