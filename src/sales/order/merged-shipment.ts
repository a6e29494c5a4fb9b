import { toAmount, ZERO } from '../../platform/money';
import type { OrderGraph, ShipmentGraph } from './order-graph';
import { isCompleteState } from './order.machine';

/**
 * Whether a shipment was merged and still charges its cost: it is canceled, its units are in a shipment whose freight is taxed at
 * other rates, and its order is complete. A shipment that was canceled by itself costs nothing.
 */
export function isMerged(
  { state: orderState }: Pick<OrderGraph, 'state'>,
  { state, cost }: Pick<ShipmentGraph, 'state' | 'cost'>,
): boolean {
  return state === 'canceled' && isCompleteState(orderState) && toAmount(cost) > ZERO;
}
