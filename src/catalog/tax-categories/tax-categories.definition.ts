import { boolean, longText, text } from '../../platform/resource/columns';
import { defineResource, type JsonOf } from '../../platform/resource/definition';

/** A category of products that are taxed at the same rates. At most one is the default. */
export const TaxCategory = defineResource({
  table: 'tax_categories',
  name: 'tax_category',
  schema: 'TaxCategory',
  deletion: 'soft',
  fields: {
    name: {
      type: text({ trim: true }),
      required: true,
      search: true,
      description: 'The name of the category, such as `Clothing`.',
    },
    description: {
      type: longText(),
      nullable: true,
      search: true,
      description: 'A note for admins. Null without one.',
    },
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
      description: 'Whether it applies to products without a tax category.',
    },
  },
});

export type TaxCategoryJson = JsonOf<typeof TaxCategory>;
