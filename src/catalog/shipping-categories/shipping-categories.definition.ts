import { text } from '../../platform/resource/columns';
import { defineResource, type JsonOf } from '../../platform/resource/definition';

/** A category of products that can be shipped by the same methods. A shipping method lists its categories. */
export const ShippingCategory = defineResource({
  table: 'shipping_categories',
  name: 'shipping_category',
  schema: 'ShippingCategory',
  deletion: 'hard',
  fields: {
    name: {
      type: text({ trim: true }),
      required: true,
      search: true,
      description: 'The name of the category, such as `Oversized`.',
    },
  },
});

export type ShippingCategoryJson = JsonOf<typeof ShippingCategory>;
