import { AS_RESTORED, buildViolation, buildRefusal, type Damage } from './damage';

export const saleDamages: readonly Damage[] = [
  buildViolation(
    'the item total of an order is larger',
    'order_totals_are_sums',
    `UPDATE orders SET item_total = item_total + 0.01, total = total + 0.01 WHERE id = :unpaid`,
  ),
  buildViolation(
    'the shipping total of an order is zero',
    'order_totals_are_sums',
    `UPDATE orders SET ship_total = 0, total = total - ship_total WHERE id = :unpaid`,
  ),
  buildViolation(
    'the adjustment total of an order is changed',
    'order_totals_are_sums',
    `UPDATE orders SET adjustment_total = adjustment_total - 3, total = total - 3 WHERE id = :paid`,
  ),
  buildViolation(
    'the total quantity of an order is smaller',
    'order_totals_are_sums',
    `UPDATE orders SET total_quantity = 1 WHERE id = :unpaid`,
  ),
  buildViolation(
    'the total of an order is negative',
    'no_order_costs_less_than_nothing',
    `UPDATE orders SET adjustment_total = adjustment_total - total - 1, total = -1 WHERE id = :unpaid`,
  ),
  buildRefusal(
    'a total that is not a sum',
    'orders_total_sum',
    `UPDATE orders SET total = total - 5 WHERE id = :unpaid`,
  ),
  buildRefusal(
    'a total of NaN',
    'orders_item_total_positive',
    `UPDATE orders SET item_total = 'NaN', total = 'NaN' WHERE id = :unpaid`,
  ),
  buildRefusal(
    'a negative quantity',
    'orders_total_quantity_positive',
    `UPDATE orders SET total_quantity = -1 WHERE id = :unpaid`,
  ),
  buildRefusal(
    'a positive discount',
    'orders_promo_total_negative',
    `UPDATE orders SET promo_total = 1 WHERE id = :unpaid`,
  ),
  buildViolation(
    'the payment total of an order is larger',
    'payment_total_is_what_was_paid',
    `UPDATE orders SET payment_total = payment_total + 1 WHERE id = :paid`,
  ),
  buildViolation(
    'the payment state of an unpaid order is paid',
    'payment_state_follows_payments',
    `UPDATE orders SET payment_state = 'paid' WHERE id = :unpaid`,
  ),
  buildViolation(
    'the shipment state of a backordered order is shipped',
    'shipment_state_of_orders_follows',
    `UPDATE orders SET shipment_state = 'shipped' WHERE id = :waiting`,
  ),
  buildViolation(
    'the state of an order is set to canceled',
    'history_ends_at_the_state',
    `UPDATE orders SET state = 'canceled', canceled_at = now() WHERE id = :paid`,
  ),
  buildViolation(
    'the state of a canceled order is set to complete',
    'cancellations_are_stamped',
    `UPDATE orders SET state = 'complete' WHERE id = :canceled`,
  ),
  buildViolation(
    'the state of an open order is set to complete',
    'sold_orders_were_completed',
    `UPDATE orders SET state = 'complete', completed_at = now() WHERE id = :open`,
  ),
  buildViolation(
    'an open order has completed_at',
    'sold_orders_are_stamped',
    `UPDATE orders SET completed_at = now() WHERE id = :open`,
  ),
  buildViolation(
    'the state of an order is set to returned',
    'returned_orders_came_back',
    `UPDATE orders SET state = 'returned' WHERE id = :shipped`,
  ),
  buildRefusal(
    'a complete order without completed_at',
    'orders_completed_at_present',
    `UPDATE orders SET completed_at = NULL WHERE id = :paid`,
  ),
  buildViolation(
    'completed_at is a year earlier',
    'completions_are_dated',
    `UPDATE orders SET completed_at = completed_at - interval '1 year' WHERE id = :paid`,
  ),
  buildViolation(
    'completed_at is in the future',
    'completions_are_dated',
    `UPDATE orders SET completed_at = '2999-01-01' WHERE id = :paid`,
  ),
  buildViolation(
    'an order without e-mail',
    'sold_orders_name_their_buyer',
    `UPDATE orders SET email = NULL WHERE id = :paid`,
  ),
  buildViolation(
    'an order without ship address',
    'sold_orders_name_their_buyer',
    `UPDATE orders SET ship_address_id = NULL WHERE id = :paid`,
  ),
  buildViolation(
    'a shipment of the checkout is marked as imported',
    'imported_shipments_left_before',
    `UPDATE shipments SET is_imported = true WHERE order_id = :shipped`,
  ),
  buildViolation(
    'an imported shipment is not marked',
    'sales_are_moved',
    `UPDATE shipments SET is_imported = false WHERE order_id = :imported AND is_imported`,
  ),
  buildRefusal(
    'a shipment that has not left is marked as imported',
    'shipments_imported_shipped',
    `UPDATE shipments SET is_imported = true WHERE order_id = :imported`,
  ),
  buildViolation(
    'the amount of an imported payment is lowered',
    'completed_payments_are_what_was_taken',
    `UPDATE payments SET amount = 5 WHERE order_id = :imported`,
  ),
  buildViolation(
    'the opening history of an imported payment is gone',
    'operations_follow_the_history',
    AS_RESTORED,
    `DELETE FROM payment_operations WHERE payment_id IN (SELECT id FROM payments WHERE order_id = :imported)`,
  ),
  buildViolation(
    'a risky order is not marked',
    'risky_orders_are_marked',
    `UPDATE orders SET considered_risky = false WHERE id = :risky`,
  ),
  buildViolation(
    'two orders share an address',
    'addresses_have_one_owner',
    `UPDATE orders SET ship_address_id = (SELECT ship_address_id FROM orders WHERE id = :paid) WHERE id = :unpaid`,
  ),
  buildRefusal('an order is deleted', 'orders_kept', `DELETE FROM orders WHERE id = :paid`),
  buildRefusal('a canceled order is deleted', 'orders_kept', `DELETE FROM orders WHERE id = :canceled`),
  buildRefusal('all orders are truncated', 'orders_not_truncated', `TRUNCATE orders CASCADE`),
  buildViolation(
    'a restore without an order',
    'references_lead_somewhere',
    AS_RESTORED,
    `DELETE FROM orders WHERE id = :paid`,
  ),
  buildRefusal(
    'two orders with the same number',
    'orders_number_unique',
    `UPDATE orders SET number = (SELECT number FROM orders WHERE id = :paid) WHERE id = :unpaid`,
  ),
  buildRefusal(
    'an invalid currency',
    'orders_currency_format',
    `UPDATE orders SET currency = 'US$' WHERE id = :unpaid`,
  ),
  buildRefusal(
    'an unknown state',
    'orders_state_known',
    `UPDATE orders SET state = 'gone' WHERE id = :unpaid`,
  ),

  buildViolation(
    'the quantity of a sold line item is larger',
    'sold_lines_have_their_units',
    `UPDATE line_items SET quantity = quantity + 1 WHERE order_id = :unpaid`,
  ),
  buildViolation(
    'the price of a line item is changed',
    'order_totals_are_sums',
    `UPDATE line_items SET price = price - 1 WHERE order_id = :unpaid`,
  ),
  buildViolation(
    'the price of a line item and the totals are changed',
    'payment_state_follows_payments',
    `UPDATE line_items SET price = price - 1 WHERE order_id = :shipped`,
    `UPDATE orders SET item_total = item_total - total_quantity, total = total - total_quantity WHERE id = :shipped`,
  ),
  buildViolation(
    'the variant of a line item is changed',
    'units_belong_to_their_order',
    `UPDATE line_items SET variant_id = (SELECT variant_id FROM line_items WHERE order_id = :paid) WHERE order_id = :unpaid`,
  ),
  buildViolation(
    'a line item is moved to another order',
    'units_belong_to_their_order',
    `UPDATE line_items SET order_id = :paid WHERE order_id = :unpaid`,
  ),
  buildViolation(
    'a line item is deleted',
    'order_totals_are_sums',
    `DELETE FROM line_items WHERE order_id = :unpaid`,
  ),
  buildRefusal(
    'a shipped line item is deleted',
    'inventory_units_kept',
    `DELETE FROM line_items WHERE order_id = :shipped`,
  ),
  buildRefusal(
    'a line item with quantity zero',
    'line_items_quantity_positive',
    `UPDATE line_items SET quantity = 0 WHERE order_id = :unpaid`,
  ),
  buildRefusal(
    'a price of NaN',
    'line_items_price_number',
    `UPDATE line_items SET price = 'NaN' WHERE order_id = :unpaid`,
  ),
  buildRefusal(
    'a line item is duplicated',
    'line_items_order_variant_unique',
    `INSERT INTO line_items (order_id, variant_id, quantity, price) SELECT order_id, variant_id, 1, 1 FROM line_items WHERE order_id = :unpaid`,
  ),
  buildViolation(
    'the promotion total of a line item is changed',
    'line_totals_are_sums',
    `UPDATE line_items SET promo_total = -1 WHERE order_id = :unpaid`,
  ),

  buildViolation(
    'a tax of an open order is smaller',
    'taxes_are_what_their_rate_gives',
    `UPDATE adjustments SET amount = 0.01 WHERE order_id = :open AND source_type = 'Store::TaxRate'`,
  ),
  buildViolation(
    'a tax of a complete order is smaller',
    'taxes_are_what_their_rate_gives',
    `UPDATE adjustments SET amount = 0.01 WHERE order_id = :paid AND source_type = 'Store::TaxRate'`,
  ),
  buildViolation(
    'a tax and the totals are smaller',
    'taxes_are_what_their_rate_gives',
    `UPDATE line_items SET additional_tax_total = 0.01, adjustment_total = 0.01 WHERE order_id = :unpaid`,
    `UPDATE orders SET total = total - adjustment_total + 0.01, adjustment_total = 0.01, additional_tax_total = 0.01 WHERE id = :unpaid`,
    `UPDATE adjustments SET amount = 0.01 WHERE order_id = :unpaid AND source_type = 'Store::TaxRate'`,
  ),
  buildViolation(
    'a tax keeps another rate',
    'taxes_are_what_their_rate_gives',
    `UPDATE adjustments SET rate = rate + 0.01 WHERE order_id = :paid AND source_type = 'Store::TaxRate'`,
  ),
  buildRefusal(
    'a tax loses its rate',
    'adjustments_tax_has_rate',
    `UPDATE adjustments SET rate = NULL WHERE order_id = :paid AND source_type = 'Store::TaxRate'`,
  ),
  buildViolation(
    'a discount of a complete order keeps another amount',
    'discounts_are_what_they_keep',
    `UPDATE adjustments SET sold_amount = sold_amount - 1 WHERE order_id = :promoted AND source_type = 'Store::PromotionAction' AND line_item_id IS NOT NULL`,
  ),
  buildViolation(
    'a discount of a complete order loses what it keeps',
    'discounts_are_what_they_keep',
    `UPDATE adjustments SET sold_base = NULL, percent = NULL WHERE order_id = :promoted AND source_type = 'Store::PromotionAction'`,
  ),
  buildRefusal(
    'a discount loses its action',
    'adjustments_discount_has_action',
    `UPDATE adjustments SET action_type = NULL WHERE order_id = :promoted AND source_type = 'Store::PromotionAction'`,
  ),
  buildViolation(
    'a tax is duplicated',
    'adjustments_are_made_once',
    `INSERT INTO adjustments (order_id, line_item_id, source_type, source_id, amount, label, rate, included_rates) SELECT order_id, line_item_id, source_type, source_id, amount, label, rate, included_rates FROM adjustments WHERE order_id = :paid AND source_type = 'Store::TaxRate'`,
  ),
  buildViolation(
    'a tax becomes included in the price',
    'line_totals_are_sums',
    `UPDATE adjustments SET included = true WHERE order_id = :paid AND source_type = 'Store::TaxRate'`,
  ),
  buildViolation(
    'a tax is deleted',
    'line_totals_are_sums',
    `DELETE FROM adjustments WHERE order_id = :paid AND source_type = 'Store::TaxRate'`,
  ),
  buildViolation(
    'a tax is not eligible',
    'order_totals_are_sums',
    `UPDATE adjustments SET eligible = false WHERE order_id = :paid`,
  ),
  buildViolation(
    'the rate of a tax is deleted',
    'adjustments_have_their_source',
    `DELETE FROM tax_rates WHERE id = (SELECT max(source_id) FROM adjustments WHERE source_type = 'Store::TaxRate')`,
  ),
  buildViolation(
    'a discount of an action that never existed',
    'adjustments_have_their_source',
    `UPDATE adjustments SET source_id = 1000000 WHERE order_id = :promoted AND source_type = 'Store::PromotionAction'`,
  ),
  buildViolation(
    'a discount of a line item is larger',
    'discounts_are_what_their_action_gives',
    `UPDATE adjustments SET amount = amount - 1, sold_amount = sold_amount - 1 WHERE order_id = :promoted AND source_type = 'Store::PromotionAction' AND line_item_id IS NOT NULL`,
  ),
  buildViolation(
    'a discount of an open order is larger',
    'order_discounts_are_what_their_action_gives',
    `UPDATE adjustments SET amount = amount - 1 WHERE order_id = :open AND source_type = 'Store::PromotionAction'`,
  ),
  buildViolation(
    'a discount without a line item or shipment',
    'discounts_lower_prices',
    `UPDATE adjustments SET line_item_id = NULL WHERE order_id = :open AND source_type = 'Store::PromotionAction'`,
  ),
  buildRefusal(
    'a positive discount',
    'adjustments_discount_negative',
    `UPDATE adjustments SET amount = 1 WHERE order_id = :open AND source_type = 'Store::PromotionAction'`,
  ),
  buildViolation(
    'an adjustment is moved to another order',
    'adjustments_belong_to_their_order',
    `UPDATE adjustments SET order_id = :paid WHERE order_id = :unpaid`,
  ),
  buildViolation(
    'an adjustment that is not in the totals',
    'order_totals_are_sums',
    `INSERT INTO adjustments (order_id, amount, label) VALUES (:paid, -5, 'Goodwill')`,
  ),
  buildViolation(
    'the cost of a line item is negative',
    'nothing_costs_less_than_nothing',
    `UPDATE line_items SET adjustment_total = -1000 WHERE order_id = :unpaid`,
  ),
  buildRefusal(
    'an adjustment with a source type but no source id',
    'adjustments_source_complete',
    `UPDATE adjustments SET source_id = NULL WHERE order_id = :promoted AND source_type = 'Store::PromotionAction'`,
  ),
  buildRefusal(
    'an adjustment with an unknown source type',
    'adjustments_source_type_known',
    `UPDATE adjustments SET source_type = 'Store::Gift' WHERE order_id = :paid`,
  ),
  buildRefusal(
    'an adjustment of NaN',
    'adjustments_amount_number',
    `UPDATE adjustments SET amount = 'NaN' WHERE order_id = :paid`,
  ),

  buildViolation(
    'a promotion exceeds its usage limit',
    'promotions_are_used_within_their_limit',
    `INSERT INTO order_promotions (order_id, promotion_id, used) SELECT :unpaid, promotion_id, true FROM order_promotions WHERE order_id = :promoted`,
  ),
  buildViolation(
    'an open order uses a promotion',
    'promotions_are_used_by_sold_orders',
    `UPDATE order_promotions SET used = true WHERE order_id = :open`,
  ),
  buildViolation(
    'a use of a promotion is removed',
    'discounts_are_counted_as_uses',
    `UPDATE order_promotions SET used = false WHERE order_id = :promoted`,
  ),
  buildRefusal(
    'a usage limit of zero',
    'promotions_usage_limit_positive',
    `UPDATE promotions SET usage_limit = 0`,
  ),
  buildRefusal(
    'a discount above 100 percent',
    'promotion_actions_percent_range',
    `UPDATE promotion_actions SET percent = 150 WHERE percent IS NOT NULL`,
  ),
  buildViolation(
    'a tax of a sold order is open',
    'sold_adjustments_are_closed',
    `UPDATE adjustments SET closed = false WHERE order_id = :unpaid AND source_type = 'Store::TaxRate'`,
  ),
  buildViolation(
    'a tax of an open order is closed',
    'sold_adjustments_are_closed',
    `UPDATE adjustments SET closed = true WHERE order_id = :open AND source_type = 'Store::TaxRate'`,
  ),
  buildViolation(
    'the history of a line item ends at another quantity',
    'changes_are_a_chain',
    `UPDATE order_changes SET changes = jsonb_set(changes, '{quantity,1}', '9')
      WHERE order_id = :split AND jsonb_exists(changes, 'quantity')`,
  ),
  buildViolation(
    'a change of a quantity is missing',
    'changes_are_a_chain',
    `INSERT INTO order_changes (order_id, subject_type, subject_id, changes, reason)
     SELECT order_id, subject_type, subject_id, jsonb_set(changes, '{quantity,0}', '9'), reason FROM order_changes
      WHERE order_id = :split AND jsonb_exists(changes, 'quantity')`,
  ),
  buildViolation(
    'a refund changes without a history',
    'changes_are_a_chain',
    `UPDATE refunds SET amount = amount + 1
      WHERE payment_id IN (SELECT id FROM payments WHERE order_id = :paid)`,
  ),
  buildViolation(
    'a change is moved to another order',
    'changes_are_a_chain',
    `UPDATE order_changes SET order_id = :shipped WHERE order_id = :split AND subject_type = 'line_item'`,
  ),
];
