import { serializeShippingMethod } from '../order-replies/shipments.serializer';
import { ShippingMethod } from './shipping-methods.definition';
import type { ShippingMethodSettingsJson } from './shipping-methods.definition';
import type { ShippingMethodSettings } from './shipping-methods.service';

export function serializeShippingMethodSettings(method: ShippingMethodSettings): ShippingMethodSettingsJson {
  const { zones, shipping_categories } = serializeShippingMethod(method, true);
  const { calculator_preferences } = method;
  return ShippingMethod.serialize(method, { zones, shipping_categories, calculator_preferences });
}
