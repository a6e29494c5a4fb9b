import { boolean, longText, text } from '../../platform/resource/columns';
import { defineResource, type JsonOf, type RowOf } from '../../platform/resource/definition';

/** Products are taxed by category. At most one is the default. */
export const TaxCategory = defineResource({
  table: 'tax_categories',
  name: 'tax_category',
  schema: 'TaxCategory',
  deletion: 'soft',
  fields: {
    name: { type: text({ trim: true }), required: true, search: true },
    description: { type: longText(), nullable: true, search: true },
    tax_code: {
      type: text({ trim: true }),
      nullable: true,
      search: true,
      description: 'The code that accounting or a tax service uses.',
    },
    is_default: {
      type: boolean(),
      default: false,
      search: true,
      description: 'Whether products without a category of their own belong to it.',
    },
  },
});

export type TaxCategoryRow = RowOf<typeof TaxCategory>;
export type TaxCategoryJson = JsonOf<typeof TaxCategory>;
