import { z } from 'zod';
import { boolean, createSchema, longText, text, updateSchema, wrapped } from '../../platform/http/fields';

export const TaxCategoryJson = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    tax_code: z.string().nullable().meta({ description: 'What the books or a tax service call it.' }),
    is_default: z
      .boolean()
      .meta({ description: 'Whether goods belong to it that name no category of their own.' }),
  })
  .meta({ id: 'TaxCategory' });

export type TaxCategoryJson = z.output<typeof TaxCategoryJson>;

const fields = {
  name: text({ trim: true }),
  description: longText(),
  tax_code: text({ trim: true }),
  is_default: boolean(),
};

export const TAX_CATEGORY_REQUIRED = ['name'] as const;

export const TaxCategoryCreate = wrapped('tax_category', createSchema(fields, TAX_CATEGORY_REQUIRED));
export const TaxCategoryUpdate = wrapped('tax_category', updateSchema(fields, TAX_CATEGORY_REQUIRED));

export type TaxCategoryAttributes = z.output<typeof TaxCategoryCreate>['tax_category'];
export type TaxCategoryChanges = z.output<typeof TaxCategoryUpdate>['tax_category'];
