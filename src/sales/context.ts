import type { Ctx as BaseCtx } from '../access/context';
import type { Deps as InventoryDeps } from '../inventory/context';
import type { Turns } from '../platform/turns';
import type { GatewayRegistry } from './payment-processing/gateways/registry';

/** The dependencies of sales. The program builds one object of this type; it also satisfies the areas below. */
export interface Deps extends InventoryDeps {
  /** The payment gateways, by the name stored in payment methods. */
  gateways: GatewayRegistry;
  /** The turns of changes of an order, by its number; before any slot or connection (`createOrderTurns`). */
  orderTurns: Turns;
}

/** The context of the use cases of sales. */
export interface Ctx extends BaseCtx, Deps {}
