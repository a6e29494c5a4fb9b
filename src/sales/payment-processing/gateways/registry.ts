import { bogusGateway } from './bogus';
import { checkGateway } from './check';
import type { Gateway, GatewayDefinition } from './gateway';

/** Gateways by the name stored in `payment_methods.gateway`. Passed in with the context, so that tests can bring their own. */
export type GatewayRegistry = Readonly<Record<string, GatewayDefinition>>;

/** A new provider is one file beside this one and one line here. */
export const builtInGateways: GatewayRegistry = {
  bogus: bogusGateway,
  check: checkGateway,
};

/**
 * The gateway of a payment method.
 * @throws RangeError when the registry has no such gateway: a row from another version of the program, not a client's fault.
 */
export function connectGateway(
  gateways: GatewayRegistry,
  method: { gateway: string; preferences: unknown },
): Gateway {
  const definition = Object.hasOwn(gateways, method.gateway) ? gateways[method.gateway] : undefined;
  if (!definition) throw new RangeError(`unknown payment gateway: ${method.gateway}`);
  return definition.connect(method.preferences);
}
