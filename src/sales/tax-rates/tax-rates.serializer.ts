import { decimal } from '../../platform/money';
import type { TaxRateRow } from './tax-rates.repository';
import type { TaxRateJson } from './tax-rates.schema';

export function serializeTaxRate(rate: TaxRateRow): TaxRateJson {
  return {
    id: rate.id,
    name: rate.name,
    amount: decimal(rate.amount),
    zone_id: rate.zone_id,
    tax_category_id: rate.tax_category_id,
    included_in_price: rate.included_in_price,
    show_rate_in_label: rate.show_rate_in_label,
  };
}
