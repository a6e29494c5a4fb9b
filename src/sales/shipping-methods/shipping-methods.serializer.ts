import { serializeShippingMethod } from '../order-replies/shipments.serializer';
import type { ShippingMethodSettings } from './shipping-methods.service';
import type { ShippingMethodSettingsJson } from './shipping-methods.schema';

export function serializeShippingMethodSettings(method: ShippingMethodSettings): ShippingMethodSettingsJson {
  return {
    ...serializeShippingMethod(method, true),
    admin_name: method.admin_name,
    tracking_url: method.tracking_url,
    display_on: method.display_on,
    tax_category_id: method.tax_category_id,
    calculator_type: method.calculator_type,
    calculator_preferences: method.calculator_preferences,
  };
}
