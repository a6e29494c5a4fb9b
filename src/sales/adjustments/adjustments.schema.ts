import { z } from 'zod';
import { boolean, describe, decimalNumber, reference, text } from '../../platform/http/fields';
import { updateSchema, wrapped } from '../../platform/http/field-schemas';

const label = text({ max: 255, trim: true });
const amount = decimalNumber();
const LABEL = 'What the customer sees, such as `Goodwill`.';
const TAXED =
  'Whether it is taxed as its line item or shipment is, at the rates kept with a complete order. Defaults to false.';
const AMOUNT = { description: 'Below zero to reduce what the order costs.' };

export const AdjustmentCreate = wrapped(
  'adjustment',
  z.object({
    label: label.required.describe(LABEL),
    amount: amount.required.meta(AMOUNT),
    line_item_id: reference().optional.describe(
      'The line item that it belongs to; without one and without a shipment, the order.',
    ),
    shipment_id: reference().optional.describe(
      'The shipment that it belongs to. Alternative to `line_item_id`.',
    ),
    taxed: boolean().optional.describe(TAXED),
  }),
);

export const AdjustmentUpdate = wrapped(
  'adjustment',
  updateSchema(
    {
      label: describe(label, LABEL),
      amount: describe(amount, AMOUNT.description),
      taxed: describe(boolean(), TAXED),
    },
    ['label', 'amount', 'taxed'],
  ),
);

export type AdjustmentAttributes = z.output<typeof AdjustmentCreate>['adjustment'];
export type AdjustmentChanges = z.output<typeof AdjustmentUpdate>['adjustment'];
