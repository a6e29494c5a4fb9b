import type { Tx } from '../../platform/database/transaction';
import { displayMoney, pickDisplay } from '../../platform/money-format';
import type { LockedOrderGraph } from '../order/order-lock';
import type { OrderDraft } from '../order-updater/order-draft';
import { buildAdjustment } from '../pricing/new-adjustment';
import { addCost, keepAmounts } from './moved-freight';
import { buildShipment } from './new-shipment';
import { performOnShipment, type ShipmentSubject } from './perform-on-shipment';
import { takeFreights, type TakenFreight } from './released-freights.repository';

/**
 * Gives a new shipment of a complete order the cost and the adjustments of its released freights. Those that are taxed otherwise
 * than the first become a shipment of their own, which has no units and is canceled at its cost. One statement.
 * @returns the draft, and the id of the shipping method; null if there are none
 */
export async function takeReleasedFreights<Order extends LockedOrderGraph>(
  tx: Tx,
  draft: OrderDraft<Order>,
  { shipment, cause }: Pick<ShipmentSubject, 'shipment' | 'cause'>,
): Promise<{ draft: OrderDraft<Order>; method_id: number | null }> {
  const [first, ...others] = await takeFreights(tx, draft.order);
  if (first === undefined) return { draft, method_id: null };
  const charged = { ...draft, order: chargeFreight(draft.order, shipment.id, first) };
  return {
    draft: others.reduce((all, freight) => addCanceled(all, { shipment, cause }, freight), charged),
    method_id: first.method_id,
  };
}

function chargeFreight<Order extends LockedOrderGraph>(
  order: Order,
  shipment_id: number,
  { cost, adjustments }: TakenFreight,
): Order {
  const added = adjustments.map(
    ({ source_type, source_id, amount, label, mandatory, included, taxed, created_at, ...kept }) => {
      const { rate, included_rates, action_type, percent } = kept;
      const owner = { line_item_id: null, shipment_id, source_type, source_id };
      const terms = { rate, included_rates, action_type, percent };
      const row = buildAdjustment(order, { ...owner, amount, label, mandatory, included, taxed, ...terms });
      return created_at === null ? row : { ...row, created_at: new Date(created_at) };
    },
  );
  const shipments = addCost(order, shipment_id, cost);
  return keepAmounts({ ...order, shipments, adjustments: [...order.adjustments, ...added] }, shipment_id);
}

/** Adds a shipment at the location of another one for freight that is taxed otherwise. */
function addCanceled<Order extends LockedOrderGraph>(
  draft: OrderDraft<Order>,
  { shipment, cause }: Pick<ShipmentSubject, 'shipment' | 'cause'>,
  freight: TakenFreight,
): OrderDraft<Order> {
  const { order } = draft;
  const { stock_location_id, stock_location_name } = shipment;
  const { cost, method_id, method_name, method_code } = freight;
  const rate = { cost, display_cost: displayMoney(cost, pickDisplay(order)), selected: true };
  const method = { shipping_method_name: method_name ?? '', shipping_method_code: method_code };
  const rates = method_id === null ? [] : [{ ...rate, shipping_method_id: method_id, ...method }];
  const added = buildShipment(order, {
    stock_location_id,
    stock_location_name,
    cost: '0.0',
    units: [],
    rates,
  });
  const charged = chargeFreight({ ...order, shipments: [...order.shipments, added] }, added.id, freight);
  const subject = { draft: { ...draft, order: charged }, shipment: added, at: order.read_at, cause };
  const { draft: canceled } = performOnShipment('merge', subject);
  return { ...canceled, order: { ...charged, shipments: canceled.order.shipments } };
}
