import { bogusGateway } from './bogus';
import { openCredentials } from './credentials';
import { checkGateway } from './check';
import type { Gateway, GatewayDefinition } from './gateway';
import { paypalGateway } from './paypal';
import { stripeGateway } from './stripe';

/** Gateways by the name stored in `payment_methods.gateway`. Part of the context, so that tests can replace them. */
export type GatewayRegistry = Readonly<Record<string, GatewayDefinition>>;

/** To add a provider, add a folder to this one and a line here. */
export const builtInGateways: GatewayRegistry = {
  bogus: bogusGateway,
  check: checkGateway,
  paypal: paypalGateway,
  stripe: stripeGateway,
};

/**
 * Creates the gateway of a payment method.
 * @throws RangeError when the registry has no such gateway, for example for a row written by another version
 */
export function connectGateway(
  { gateways, secret }: GatewayAccess,
  method: { gateway: string; preferences: unknown },
): Gateway {
  return findGateway(gateways, method).connect(openCredentials(secret, method.preferences));
}

/** The gateways, and the key of the store, which opens their credentials. */
export interface GatewayAccess {
  gateways: GatewayRegistry;
  secret: Buffer;
}

/** Returns the definition of the gateway of a payment method. @throws RangeError as `connectGateway` */
export function findGateway(gateways: GatewayRegistry, { gateway }: { gateway: string }): GatewayDefinition {
  const definition = Object.hasOwn(gateways, gateway) ? gateways[gateway] : undefined;
  if (!definition) throw new RangeError(`unknown payment gateway: ${gateway}`);
  return definition;
}
