import { text } from '../../platform/resource/columns';
import { resource, type JsonOf } from '../../platform/resource/definition';

/** Shipping methods list the categories they carry. */
export const ShippingCategory = resource({
  table: 'shipping_categories',
  name: 'shipping_category',
  schema: 'ShippingCategory',
  deletion: 'hard',
  fields: { name: { type: text({ trim: true }), required: true, search: true } },
});

export type ShippingCategoryJson = JsonOf<typeof ShippingCategory>;
