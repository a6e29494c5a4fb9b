import { serializeShippingMethod } from '../shipments/shipments.serializer';
import { ShippingMethod, type ShippingMethodSettingsJson } from './shipping-methods.definition';
import type { ShippingMethodSettings } from './shipping-methods.service';

export function serializeShippingMethodSettings(method: ShippingMethodSettings): ShippingMethodSettingsJson {
  const { zones, shipping_categories } = serializeShippingMethod(method, true);
  const { calculator_preferences } = method;
  return ShippingMethod.serialize(method, { zones, shipping_categories, calculator_preferences });
}
