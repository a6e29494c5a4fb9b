import type { PaymentMethodSettings } from '../payment-processing/payment-methods.repository';
import type { PaymentMethodSettingsJson } from './payment-methods.schema';

export function serializePaymentMethodSettings(method: PaymentMethodSettings): PaymentMethodSettingsJson {
  return {
    id: method.id,
    name: method.name,
    description: method.description,
    gateway: method.gateway,
    method_type: method.method_type,
    display_on: method.display_on,
    active: method.active,
    auto_capture: method.auto_capture,
    position: method.position,
    has_preferences: method.has_preferences,
  };
}
