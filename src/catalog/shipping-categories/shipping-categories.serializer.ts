import type { ShippingCategoryRow } from './shipping-categories.repository';
import type { ShippingCategoryJson } from './shipping-categories.schema';

export function serializeShippingCategory(category: ShippingCategoryRow): ShippingCategoryJson {
  return { id: category.id, name: category.name };
}
