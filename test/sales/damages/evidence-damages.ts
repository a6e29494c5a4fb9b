import { AS_RESTORED, buildViolation, type Damage } from './damage';

const REFUND = `WHERE payment_id IN (SELECT id FROM payments WHERE order_id = :paid)`;
const ANOTHER_USER = `(SELECT min(id) FROM users WHERE id <> (SELECT user_id FROM orders WHERE id = :shipped))`;
const OTHER_CARD = `
  WITH other AS (
    INSERT INTO credit_cards (payment_method_id, month, year, last_digits, name)
    SELECT payment_method_id, '1', '2035', '9999', 'Eve Lee' FROM payments WHERE order_id = :unpaid LIMIT 1 RETURNING id)`;

/** Damages that contradict only what a document or an operation said before. */
export const evidenceDamages: readonly Damage[] = [
  buildViolation(
    'a refund is dated back',
    'refunds_have_a_credit_note',
    `UPDATE refunds SET created_at = created_at - interval '1 month' ${REFUND}`,
  ),
  buildViolation(
    'a refund gets another reason',
    'refunds_have_a_credit_note',
    `UPDATE refunds SET reason = 'goodwill' ${REFUND}`,
  ),
  buildViolation(
    'a payment loses its response code',
    'payments_keep_their_response_code',
    `UPDATE payments SET response_code = NULL WHERE order_id = :unpaid`,
  ),
  buildViolation(
    'a captured payment gets the response code of another one',
    'payments_keep_their_response_code',
    `UPDATE payments SET response_code = 'OTHER-1' WHERE order_id = :paid`,
  ),
  buildViolation(
    'the rest of a partial capture loses its response code',
    'payments_keep_their_response_code',
    `UPDATE payments SET response_code = NULL WHERE order_id = :partly AND state = 'pending'`,
  ),
  buildViolation(
    'a payment gets another card of its method',
    'payments_keep_their_card',
    `${OTHER_CARD} UPDATE payments SET credit_card_id = other.id FROM other WHERE order_id = :unpaid`,
  ),
  buildViolation(
    'the digits of a charged card change',
    'payments_keep_their_card',
    `UPDATE credit_cards SET last_digits = '9999' WHERE id = (SELECT credit_card_id FROM payments WHERE order_id = :unpaid)`,
  ),
  buildViolation(
    'the card of a guest gets an owner',
    'payments_have_their_own_card',
    `UPDATE credit_cards SET user_id = (SELECT min(id) FROM users) WHERE id = (SELECT credit_card_id FROM payments WHERE order_id = :unpaid)`,
  ),
  buildViolation(
    'a tax loses its rate',
    'taxes_name_their_rate',
    `UPDATE adjustments SET source_id = NULL WHERE order_id = :unpaid AND source_type = 'Store::TaxRate'`,
  ),
  buildViolation(
    'a tax names another rate',
    'taxes_name_their_rate',
    `WITH other AS (
       INSERT INTO tax_rates (name, amount, tax_category_id, zone_id, created_at, updated_at)
       SELECT 'City tax', 0.01, tax_category_id, zone_id, created_at, updated_at FROM tax_rates LIMIT 1 RETURNING id)
     UPDATE adjustments SET source_id = other.id FROM other WHERE order_id = :unpaid AND source_type = 'Store::TaxRate'`,
  ),
  buildViolation(
    'a tax names another rate of the same percentage',
    'taxes_name_their_rate',
    `WITH other AS (
       INSERT INTO tax_rates (name, amount, tax_category_id, zone_id, created_at, updated_at)
       SELECT 'City tax', amount, tax_category_id, zone_id, created_at, updated_at FROM tax_rates LIMIT 1 RETURNING id)
     UPDATE adjustments SET source_id = other.id FROM other WHERE order_id = :unpaid AND source_type = 'Store::TaxRate'`,
  ),
  buildViolation(
    'a received return names another location',
    'returns_came_back_to_their_location',
    `WITH depot AS (INSERT INTO stock_locations (name) VALUES ('Elsewhere') RETURNING id)
     UPDATE return_authorizations SET stock_location_id = depot.id FROM depot WHERE order_id = :returned AND state = 'received'`,
  ),
  buildViolation(
    'a sold order gets another user without history',
    'sold_orders_keep_their_buyer',
    `UPDATE orders SET user_id = ${ANOTHER_USER} WHERE id = :shipped`,
  ),
  buildViolation(
    'the order of a guest gets a user without history',
    'sold_orders_keep_their_buyer',
    `UPDATE orders SET user_id = (SELECT min(id) FROM users) WHERE id = :unpaid`,
  ),
  buildViolation(
    'a sold order gets another e-mail address without history',
    'sold_orders_keep_their_buyer',
    `UPDATE orders SET email = 'eve@example.com' WHERE id = :unpaid`,
  ),
  buildViolation(
    'a sold order loses its e-mail address',
    'sold_orders_keep_their_buyer',
    `UPDATE orders SET email = NULL WHERE id = :unpaid`,
  ),
  buildViolation(
    'a sold order is sent to another country without history',
    'sold_orders_keep_their_buyer',
    `UPDATE addresses SET country_id = (SELECT id FROM countries WHERE iso = 'CA'), state_id = NULL, state_name = 'Ontario'
      WHERE id = (SELECT ship_address_id FROM orders WHERE id = :unpaid)`,
  ),
  buildViolation(
    'the freight of a sold parcel and the totals are raised',
    'documents_equal_their_order',
    AS_RESTORED,
    `UPDATE shipments SET cost = cost + 1, fixed_cost = cost + 1 WHERE order_id = :unpaid`,
    `UPDATE orders SET ship_total = ship_total + 1, total = total + 1 WHERE id = :unpaid`,
  ),
  buildViolation(
    'shipped_at is a year earlier than the last unit left',
    'shipments_left_when_they_say',
    `UPDATE shipments SET shipped_at = shipped_at - interval '1 year', unit_shipped_at = shipped_at WHERE order_id = :shipped`,
  ),
  buildViolation(
    'a shipment and its last unit left before the sale',
    'shipments_left_when_they_say',
    `UPDATE shipments SET shipped_at = shipped_at - interval '1 year', unit_shipped_at = shipped_at - interval '1 year'
      WHERE order_id = :shipped`,
  ),
  buildViolation(
    'an invoice prints another recipient',
    'invoices_print_their_addresses',
    AS_RESTORED,
    `UPDATE documents SET snapshot = jsonb_set(snapshot, '{bill_address,lastname}', '"Eve"') WHERE kind = 'invoice' AND order_id = :unpaid`,
  ),
  buildViolation(
    'a sold order is billed to another country without history',
    'invoices_print_their_addresses',
    `UPDATE addresses SET country_id = (SELECT id FROM countries WHERE iso = 'CA'), state_id = NULL, state_name = 'Ontario'
      WHERE id = (SELECT bill_address_id FROM orders WHERE id = :unpaid)`,
  ),
  buildViolation(
    'a parcel is redirected without history',
    'invoices_print_their_addresses',
    `UPDATE addresses SET address1 = '1 Thief St' WHERE id = (SELECT ship_address_id FROM orders WHERE id = :unpaid)`,
  ),
  buildViolation(
    'a cancellation is dated a year back',
    'cancellations_and_credits_are_dated',
    `UPDATE orders SET canceled_at = canceled_at - interval '1 year' WHERE id = :canceled`,
  ),
  buildViolation(
    'the credit of a return is dated back to the month before',
    'cancellations_and_credits_are_dated',
    AS_RESTORED,
    `UPDATE adjustments SET created_at = created_at - interval '1 month'
      WHERE order_id = :returned AND source_type = 'Store::ReturnAuthorization'`,
  ),
];
