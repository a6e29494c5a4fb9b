import type { Ctx as BaseCtx } from '../access/context';
import type { Deps as InventoryDeps } from '../inventory/context';
import type { GatewayRegistry } from './payment-processing/gateways/registry';

/** What sales is built from. The program builds one object of this type, which satisfies the areas below it too. */
export interface Deps extends InventoryDeps {
  /** The payment gateways, by the name stored with payment methods. */
  gateways: GatewayRegistry;
  /** The key that order tokens are derived from; the same at every start and on every instance. */
  secret: Buffer;
}

/** The context of use cases of sales. */
export interface Ctx extends BaseCtx, Deps {}
