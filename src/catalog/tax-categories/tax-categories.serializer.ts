import type { TaxCategoryRow } from './tax-categories.repository';
import type { TaxCategoryJson } from './tax-categories.schema';

export function serializeTaxCategory(category: TaxCategoryRow): TaxCategoryJson {
  return {
    id: category.id,
    name: category.name,
    description: category.description,
    tax_code: category.tax_code,
    is_default: category.is_default,
  };
}
