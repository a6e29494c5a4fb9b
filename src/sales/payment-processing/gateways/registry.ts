import { bogusGateway } from './bogus';
import { checkGateway } from './check';
import type { Gateway, GatewayDefinition } from './gateway';

/** Gateways by the name stored in `payment_methods.gateway`. Part of the context, so that tests can replace them. */
export type GatewayRegistry = Readonly<Record<string, GatewayDefinition>>;

/** To add a provider, add a file to this folder and a line here. */
export const builtInGateways: GatewayRegistry = {
  bogus: bogusGateway,
  check: checkGateway,
};

/**
 * Creates the gateway of a payment method.
 * @throws RangeError when the registry has no such gateway, for example for a row written by another version
 */
export function connectGateway(
  gateways: GatewayRegistry,
  method: { gateway: string; preferences: unknown },
): Gateway {
  const definition = Object.hasOwn(gateways, method.gateway) ? gateways[method.gateway] : undefined;
  if (!definition) throw new RangeError(`unknown payment gateway: ${method.gateway}`);
  return definition.connect(method.preferences);
}
