import type { ProductPropertyRow } from './product-properties.repository';
import type { ProductPropertyJson } from './product-properties.schema';

export function serializeProductProperty(property: ProductPropertyRow): ProductPropertyJson {
  return {
    id: property.id,
    product_id: property.product_id,
    property_id: property.property_id,
    value: property.value,
    property_name: property.property_name,
  };
}
