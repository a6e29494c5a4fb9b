import { AS_RESTORED, buildViolation, buildRefusal, type Damage } from './damage';

const ITEM_OF = (order: string): string =>
  `(SELECT i.id FROM stock_items i JOIN shipments s ON s.stock_location_id = i.stock_location_id
      JOIN line_items l ON l.order_id = s.order_id AND l.variant_id = i.variant_id WHERE s.order_id = :${order} LIMIT 1)`;
const SALE_OF = (order: string): string =>
  `originator_type = 'Store::Shipment' AND originator_id IN (SELECT id FROM shipments WHERE order_id = :${order})`;
const RETURN_OF = (order: string, state: string): string =>
  `(SELECT id FROM return_authorizations WHERE order_id = :${order} AND state = '${state}')`;

export const stockDamages: readonly Damage[] = [
  buildViolation(
    'the cost of a shipment is smaller than its rate',
    'shipment_cost_is_its_rate',
    `UPDATE shipments SET cost = 0.5 WHERE order_id = :unpaid`,
  ),
  buildViolation(
    'the cost of a selected rate is smaller',
    'shipment_cost_is_its_rate',
    `UPDATE shipping_rates SET cost = 0.5 WHERE selected AND shipment_id IN (SELECT id FROM shipments WHERE order_id = :unpaid)`,
  ),
  buildViolation(
    'the cost that a sold shipment was kept at is removed',
    'shipment_cost_is_its_rate',
    `UPDATE shipments SET fixed_cost = NULL WHERE order_id = :split AND state = 'ready'`,
  ),
  buildRefusal(
    'a fixed cost is changed',
    'shipments_cost_fixed',
    `UPDATE shipments SET cost = 3 WHERE order_id = :split AND state = 'ready'`,
  ),
  buildViolation(
    'a canceled shipment costs something',
    'canceled_shipments_hold_nothing',
    `UPDATE shipments SET cost = 3, fixed_cost = 3 WHERE order_id = :split AND state = 'canceled'`,
  ),
  buildViolation(
    'a shipment is canceled, and its units stay',
    'shipment_states_follow',
    `UPDATE shipments SET state = 'canceled' WHERE order_id = :split AND state = 'ready'`,
  ),
  buildViolation(
    'a canceled shipment counts in the shipment state of its order',
    'shipment_state_of_orders_follows',
    `UPDATE orders SET shipment_state = 'partial' WHERE id = :split`,
  ),
  buildViolation(
    'the tax total of a shipment is changed',
    'shipment_totals_are_sums',
    `UPDATE shipments SET additional_tax_total = 1 WHERE order_id = :unpaid`,
  ),
  buildViolation(
    'a shipment is ready before it is paid',
    'shipment_states_follow',
    `UPDATE shipments SET state = 'ready' WHERE order_id = :unpaid`,
  ),
  buildViolation(
    'a shipped shipment with unshipped units',
    'shipped_units_have_left',
    `UPDATE shipments SET state = 'shipped', shipped_at = now() WHERE order_id = :paid`,
  ),
  buildViolation(
    'the state of a shipped shipment is changed',
    'history_ends_at_the_state',
    `UPDATE shipments SET state = 'ready', shipped_at = NULL WHERE order_id = :shipped`,
  ),
  buildViolation(
    'shipped_at is a year earlier',
    'shipments_left_when_they_say',
    `UPDATE shipments SET shipped_at = shipped_at - interval '1 year' WHERE order_id = :shipped`,
  ),
  buildViolation(
    'a shipment is moved to another stock location',
    'sales_are_moved',
    `WITH depot AS (INSERT INTO stock_locations (name) VALUES ('Depot') RETURNING id) UPDATE shipments SET stock_location_id = depot.id FROM depot WHERE order_id = :paid`,
  ),
  buildViolation(
    'a shipment is moved to another order',
    'units_belong_to_their_order',
    `UPDATE shipments SET order_id = :unpaid WHERE order_id = :paid`,
  ),
  buildViolation(
    'a shipment without units',
    'shipments_hold_something',
    `INSERT INTO shipments (number, order_id, stock_location_id) SELECT 'HEMPTY', order_id, stock_location_id FROM shipments WHERE order_id = :paid`,
  ),
  buildRefusal(
    'a shipped shipment without shipped_at',
    'shipments_shipped_at_present',
    `UPDATE shipments SET shipped_at = NULL WHERE order_id = :shipped`,
  ),
  buildRefusal(
    'an unshipped shipment with shipped_at',
    'shipments_shipped_at_of_shipped',
    `UPDATE shipments SET shipped_at = now() WHERE order_id = :paid`,
  ),
  buildRefusal(
    'a shipped shipment is deleted',
    'shipments_kept',
    `DELETE FROM shipments WHERE order_id = :shipped`,
  ),
  buildRefusal(
    'a sold shipment is deleted',
    'shipments_kept',
    `DELETE FROM shipments WHERE order_id = :paid`,
  ),
  buildViolation(
    'a restore without shipments',
    'history_has_its_subject',
    AS_RESTORED,
    `DELETE FROM shipments WHERE order_id = :shipped`,
  ),
  buildRefusal(
    'a negative shipping cost',
    'shipments_cost_positive',
    `UPDATE shipments SET cost = -1 WHERE order_id = :paid`,
  ),
  buildRefusal(
    'two rates at once',
    'shipping_rates_one_selected',
    `UPDATE shipping_rates SET selected = true`,
  ),

  buildViolation(
    'a unit is deleted',
    'sold_lines_have_their_units',
    `DELETE FROM inventory_units WHERE id = (SELECT min(id) FROM inventory_units WHERE order_id = :paid)`,
  ),
  buildRefusal(
    'a shipped unit is deleted',
    'inventory_units_kept',
    `DELETE FROM inventory_units WHERE order_id = :shipped`,
  ),
  buildViolation(
    'a unit is added',
    'sold_lines_have_their_units',
    `INSERT INTO inventory_units (order_id, line_item_id, variant_id, shipment_id, state, pending) SELECT order_id, line_item_id, variant_id, shipment_id, state, pending FROM inventory_units WHERE order_id = :paid`,
  ),
  buildViolation(
    'a unit, its quantity and the totals are added',
    'sales_are_moved',
    `INSERT INTO inventory_units (order_id, line_item_id, variant_id, shipment_id, state, pending) SELECT order_id, line_item_id, variant_id, shipment_id, state, pending FROM inventory_units WHERE order_id = :paid LIMIT 1`,
    `UPDATE line_items SET quantity = quantity + 1 WHERE order_id = :paid`,
  ),
  buildViolation(
    'the state of a shipped unit is set to on_hand',
    'shipped_units_have_left',
    `UPDATE inventory_units SET state = 'on_hand' WHERE order_id = :shipped`,
  ),
  buildViolation(
    'a unit is returned without a return authorization',
    'returned_units_came_back',
    `UPDATE inventory_units SET state = 'returned' WHERE order_id = :shipped`,
  ),
  buildViolation(
    'an unshipped unit is returned',
    'returned_units_came_back',
    `UPDATE inventory_units SET state = 'returned' WHERE order_id = :paid`,
  ),
  buildViolation(
    'a unit is moved to the shipment of another order',
    'units_belong_to_their_order',
    `UPDATE inventory_units SET shipment_id = (SELECT id FROM shipments WHERE order_id = :unpaid) WHERE order_id = :paid`,
  ),
  buildViolation(
    'the variant of a unit is changed',
    'units_belong_to_their_order',
    `UPDATE inventory_units SET variant_id = (SELECT variant_id FROM line_items WHERE order_id = :unpaid) WHERE order_id = :paid`,
  ),
  buildViolation(
    'a backordered unit is set to on_hand',
    'shipment_state_of_orders_follows',
    `UPDATE inventory_units SET state = 'on_hand' WHERE order_id = :waiting AND state = 'backordered'`,
  ),
  buildViolation(
    'a unit on hand is set to backordered',
    'shipment_state_of_orders_follows',
    `UPDATE inventory_units SET state = 'backordered' WHERE order_id = :paid`,
  ),
  buildViolation(
    'a sold unit is pending',
    'sold_orders_are_stamped',
    `UPDATE inventory_units SET pending = true WHERE order_id = :paid`,
  ),
  buildViolation(
    'a unit of an open order is shipped',
    'units_of_open_orders_stay',
    `UPDATE inventory_units SET state = 'shipped' WHERE order_id = :open`,
  ),
  buildViolation(
    'a unit is added to the return of another order',
    'returns_hold_their_units',
    `UPDATE inventory_units SET return_authorization_id = ${RETURN_OF('returned', 'authorized')} WHERE order_id = :shipped`,
  ),

  buildViolation(
    'a count on hand is larger',
    'count_is_sum_of_movements',
    `UPDATE stock_items SET count_on_hand = count_on_hand + 1 WHERE id = ${ITEM_OF('paid')}`,
  ),
  buildViolation(
    'a movement of a sale is larger',
    'sales_are_moved',
    `UPDATE stock_movements SET quantity = quantity - 1 WHERE ${SALE_OF('paid')}`,
    `UPDATE stock_items SET count_on_hand = count_on_hand - 1 WHERE id = ${ITEM_OF('paid')}`,
  ),
  buildViolation(
    'a movement of a sale loses its originator',
    'sales_are_moved',
    `UPDATE stock_movements SET originator_type = NULL, originator_id = NULL WHERE ${SALE_OF('paid')}`,
  ),
  buildViolation(
    'a movement of a sale is moved to another order',
    'sales_are_moved',
    `UPDATE stock_movements SET originator_id = (SELECT id FROM shipments WHERE order_id = :unpaid) WHERE ${SALE_OF('paid')}`,
  ),
  buildViolation(
    'a movement of a shipment that never existed',
    'movements_have_their_originator',
    `UPDATE stock_movements SET originator_id = 1000000 WHERE ${SALE_OF('paid')}`,
  ),
  buildViolation(
    'a movement of a sale is moved to another stock item',
    'sales_are_moved',
    `UPDATE stock_movements SET stock_item_id = ${ITEM_OF('unpaid')} WHERE ${SALE_OF('paid')}`,
  ),
  buildViolation(
    'a movement of a sale is added',
    'sales_are_moved',
    `INSERT INTO stock_movements (stock_item_id, quantity, action, originator_type, originator_id) SELECT ${ITEM_OF('paid')}, -3, 'sold', 'Store::Shipment', id FROM shipments WHERE order_id = :unpaid`,
    `UPDATE stock_items SET count_on_hand = count_on_hand - 3 WHERE id = ${ITEM_OF('paid')}`,
  ),
  buildViolation(
    'a canceled order is not restocked',
    'sales_are_moved',
    `UPDATE stock_items SET count_on_hand = count_on_hand - 2 WHERE id = ${ITEM_OF('canceled')}`,
    `UPDATE stock_movements SET quantity = 0 WHERE quantity > 0 AND ${SALE_OF('canceled')}`,
  ),
  buildViolation(
    'a movement is not counted',
    'count_is_sum_of_movements',
    `UPDATE stock_movements SET counted = false WHERE ${SALE_OF('paid')}`,
  ),
  buildViolation(
    'a movement of a return is larger',
    'returns_are_moved',
    `UPDATE stock_movements SET quantity = 2 WHERE originator_type = 'Store::ReturnAuthorization' AND originator_id = ${RETURN_OF('returned', 'received')}`,
    `UPDATE stock_items SET count_on_hand = count_on_hand + 1 WHERE id = ${ITEM_OF('returned')}`,
  ),
  buildViolation(
    'a movement of a return that does not exist',
    'movements_have_their_originator',
    `UPDATE stock_movements SET originator_id = 1000000 WHERE originator_type = 'Store::ReturnAuthorization'`,
  ),
  buildViolation(
    'arriving stock does not fill a backorder',
    'backorders_are_owed',
    `INSERT INTO stock_movements (stock_item_id, quantity) VALUES (${ITEM_OF('waiting')}, 1)`,
    `UPDATE stock_items SET count_on_hand = count_on_hand + 1 WHERE id = ${ITEM_OF('waiting')}`,
  ),
  buildRefusal(
    'a movement is deleted',
    'stock_movements_kept',
    `DELETE FROM stock_movements WHERE ${SALE_OF('paid')}`,
  ),
  buildViolation(
    'a restore without movements',
    'sales_are_moved',
    AS_RESTORED,
    `DELETE FROM stock_movements WHERE ${SALE_OF('paid')}`,
  ),
  buildRefusal(
    'a movement with an originator type but no originator id',
    'stock_movements_originator_complete',
    `UPDATE stock_movements SET originator_id = NULL WHERE ${SALE_OF('paid')}`,
  ),
  buildRefusal(
    'a movement with an unknown originator type',
    'stock_movements_originator_type_known',
    `UPDATE stock_movements SET originator_type = 'Thief' WHERE ${SALE_OF('paid')}`,
  ),
  buildRefusal(
    'a negative count on hand without backorders',
    'stock_items_count_on_hand_owed',
    `UPDATE stock_items SET count_on_hand = -1 WHERE id = ${ITEM_OF('paid')}`,
  ),
  buildRefusal(
    'a stock item is deleted',
    'stock_movements_stock_item_id_fkey',
    `DELETE FROM stock_items WHERE id = ${ITEM_OF('paid')}`,
  ),
  buildRefusal(
    'two stock items of one variant and location',
    'stock_items_location_variant_unique',
    `INSERT INTO stock_items (stock_location_id, variant_id) SELECT stock_location_id, variant_id FROM stock_items WHERE id = ${ITEM_OF('paid')}`,
  ),

  buildViolation(
    'the amount of a received return is larger',
    'returns_are_credited_in_full',
    `UPDATE return_authorizations SET amount = 5 WHERE order_id = :credited`,
  ),
  buildViolation(
    'a credit is larger than the share',
    'returns_are_credited_in_full',
    `UPDATE adjustments SET amount = amount - 1 WHERE order_id = :returned AND source_type = 'Store::ReturnAuthorization'`,
  ),
  buildViolation(
    'a credit is larger than the amount',
    'returns_are_credited_in_full',
    `UPDATE adjustments SET amount = amount - 1 WHERE order_id = :credited AND source_type = 'Store::ReturnAuthorization'`,
  ),
  buildViolation(
    'a credit and the totals are larger',
    'returns_are_credited_in_full',
    `UPDATE adjustments SET amount = amount - 1 WHERE order_id = :returned AND source_type = 'Store::ReturnAuthorization'`,
    `UPDATE orders SET adjustment_total = adjustment_total - 1, total = total - 1 WHERE id = :returned`,
  ),
  buildViolation(
    'returned units, their credit and the totals are worth more',
    'returned_units_are_worth_their_share',
    `UPDATE return_items SET amount = amount + 1 WHERE return_authorization_id = ${RETURN_OF('returned', 'received')}`,
    `UPDATE return_authorizations SET amount = amount + 1 WHERE id = ${RETURN_OF('returned', 'received')}`,
    `UPDATE adjustments SET amount = amount - 1 WHERE order_id = :returned AND source_type = 'Store::ReturnAuthorization'`,
    `UPDATE orders SET adjustment_total = adjustment_total - 1, total = total - 1 WHERE id = :returned`,
  ),
  buildViolation(
    'a part of returned units is not taxed that was',
    'returned_units_are_worth_their_share',
    `UPDATE return_items SET untaxed = untaxed + 1 WHERE return_authorization_id = ${RETURN_OF('returned', 'received')}`,
  ),
  buildViolation(
    'returns credit more freight than was charged',
    'freight_is_credited_once',
    `INSERT INTO return_freights (return_authorization_id, shipment_id, amount, included_tax, additional_tax)
     SELECT ${RETURN_OF('returned', 'received')}, id, cost + adjustment_total + 1, 0, 0 FROM shipments
      WHERE order_id = :returned LIMIT 1`,
  ),
  buildViolation(
    'a sale that was given back keeps its tax',
    'sales_given_back_have_no_tax',
    `UPDATE orders SET state = 'returned', total = 0, ship_total = 0, adjustment_total = -item_total, included_tax_total = 1
      WHERE id = :returned`,
  ),
  buildViolation(
    'something is left at a rate of a sale that was given back',
    'sales_given_back_leave_nothing',
    `WITH remainder AS (INSERT INTO return_remainders (return_authorization_id, entries)
                        SELECT id, '[]' FROM return_authorizations WHERE order_id = :returned)
     UPDATE orders SET state = 'returned', total = 0, adjustment_total = -item_total - ship_total WHERE id = :returned`,
  ),
  buildViolation(
    'a credit refunds other taxes',
    'returns_are_credited_in_full',
    `UPDATE adjustments SET additional_tax = additional_tax + 1 WHERE order_id = :returned AND source_type = 'Store::ReturnAuthorization'`,
  ),
  buildViolation(
    'a credit refunds no taxes',
    'order_totals_are_sums',
    `UPDATE adjustments SET additional_tax = 0 WHERE order_id = :returned AND source_type = 'Store::ReturnAuthorization'`,
  ),
  buildViolation(
    'a return item has another quantity',
    'return_items_are_their_units',
    `UPDATE return_items SET quantity = quantity + 1 WHERE return_authorization_id = ${RETURN_OF('returned', 'authorized')}`,
  ),
  buildViolation(
    'an authorized return loses its item',
    'return_items_are_their_units',
    `DELETE FROM return_items WHERE return_authorization_id = ${RETURN_OF('returned', 'authorized')}`,
  ),
  buildRefusal(
    'the item of a received return is deleted',
    'return_items_kept',
    `DELETE FROM return_items WHERE return_authorization_id = ${RETURN_OF('returned', 'received')}`,
  ),
  buildViolation(
    'an order awaits a return that is not open',
    'waiting_orders_have_open_returns',
    `UPDATE orders SET state = 'awaiting_return' WHERE id = :credited`,
  ),
  buildViolation(
    'a return that was not restocked counts as restocked',
    'returns_are_moved',
    `UPDATE return_items SET restock = false WHERE return_authorization_id = ${RETURN_OF('returned', 'received')}`,
  ),
  buildViolation(
    'a return is credited twice',
    'returns_are_credited_once',
    `INSERT INTO adjustments (order_id, source_type, source_id, amount, label) SELECT order_id, source_type, source_id, amount, label FROM adjustments WHERE order_id = :credited AND source_type = 'Store::ReturnAuthorization'`,
  ),
  buildViolation(
    'an authorized return is credited',
    'returns_are_credited_once',
    `INSERT INTO adjustments (order_id, source_type, source_id, amount, label) VALUES (:returned, 'Store::ReturnAuthorization', ${RETURN_OF('returned', 'authorized')}, -1, 'RMA Credit')`,
  ),
  buildViolation(
    'a return that does not exist is credited',
    'adjustments_have_their_source',
    `UPDATE adjustments SET source_id = 1000000 WHERE order_id = :credited AND source_type = 'Store::ReturnAuthorization'`,
  ),
  buildRefusal(
    'a credit is deleted',
    'adjustments_kept',
    `DELETE FROM adjustments WHERE order_id = :credited AND source_type = 'Store::ReturnAuthorization'`,
  ),
  buildViolation(
    'a restore without a credit',
    'returns_are_credited_in_full',
    AS_RESTORED,
    `DELETE FROM adjustments WHERE order_id = :credited AND source_type = 'Store::ReturnAuthorization'`,
  ),
  buildRefusal(
    'a positive credit',
    'adjustments_credit_of_order',
    `UPDATE adjustments SET amount = 1 WHERE source_type = 'Store::ReturnAuthorization'`,
  ),
  buildViolation(
    'the state of a return is set to received',
    'history_ends_at_the_state',
    `UPDATE return_authorizations SET state = 'received' WHERE order_id = :returned AND state = 'authorized'`,
  ),
  buildViolation(
    'a received return is canceled',
    'returns_are_credited_once',
    `UPDATE return_authorizations SET state = 'canceled' WHERE order_id = :credited`,
  ),
  buildViolation(
    'a received return loses its units',
    'received_returns_have_units',
    `UPDATE inventory_units SET return_authorization_id = NULL WHERE order_id = :credited`,
  ),
  buildViolation(
    'a return is moved to another order',
    'history_is_told_of_its_order',
    `UPDATE return_authorizations SET order_id = :shipped WHERE order_id = :credited`,
  ),
  buildViolation(
    'an order does not await its authorized return',
    'open_returns_keep_their_order_waiting',
    `UPDATE orders SET state = 'complete' WHERE id = :returned`,
  ),
  buildRefusal(
    'a received return is deleted',
    'return_authorizations_kept',
    `DELETE FROM return_authorizations WHERE order_id = :credited`,
  ),
  buildRefusal(
    'a return that holds units is deleted',
    'inventory_units_return_authorization_id_fkey',
    `DELETE FROM return_authorizations WHERE id = ${RETURN_OF('returned', 'authorized')}`,
  ),
];
