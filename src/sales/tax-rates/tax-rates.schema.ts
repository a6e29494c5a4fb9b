import { z } from 'zod';
import {
  boolean,
  createSchema,
  decimalNumber,
  reference,
  text,
  updateSchema,
  wrapped,
} from '../../platform/http/fields';

export const TaxRateJson = z
  .object({
    id: z.int(),
    name: z.string().nullable().meta({ description: "Without one, the category's name is shown." }),
    amount: z.string().meta({ description: 'A fraction: `0.19` is 19 percent.', examples: ['0.19'] }),
    zone_id: z.int().nullable().meta({ description: 'Where it holds; null: nowhere.' }),
    tax_category_id: z.int(),
    included_in_price: z
      .boolean()
      .meta({ description: 'Whether prices hold it, rather than it being added.' }),
    show_rate_in_label: z.boolean().meta({ description: 'Whether its adjustments name the percentage.' }),
  })
  .meta({ id: 'TaxRate' });

export type TaxRateJson = z.output<typeof TaxRateJson>;

const fields = {
  name: text({ trim: true }),
  amount: decimalNumber({ min: '0', max: '1', decimals: 5 }),
  zone_id: reference(),
  tax_category_id: reference(),
  included_in_price: boolean(),
  show_rate_in_label: boolean(),
};

export const TAX_RATE_REQUIRED = ['amount', 'tax_category_id'] as const;

export const TaxRateCreate = wrapped('tax_rate', createSchema(fields, TAX_RATE_REQUIRED));
export const TaxRateUpdate = wrapped('tax_rate', updateSchema(fields, TAX_RATE_REQUIRED));

export type TaxRateAttributes = z.output<typeof TaxRateCreate>['tax_rate'];
export type TaxRateChanges = z.output<typeof TaxRateUpdate>['tax_rate'];
