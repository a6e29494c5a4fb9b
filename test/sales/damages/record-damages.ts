import { AS_RESTORED, buildViolation, buildRefusal, type Damage } from './damage';

const STEP = `INSERT INTO state_changes (order_id, subject_type, subject_id, from_state, to_state)`;

export const recordDamages: readonly Damage[] = [
  buildViolation(
    'the last step ends in another state',
    'history_ends_at_the_state',
    `UPDATE state_changes SET to_state = 'canceled' WHERE id = (SELECT max(id) FROM state_changes WHERE order_id = :paid AND subject_type = 'order')`,
  ),
  buildViolation(
    'a step begins in another state',
    'history_is_a_chain',
    `UPDATE state_changes SET from_state = 'cart' WHERE id = (SELECT max(id) FROM state_changes WHERE order_id = :paid AND subject_type = 'order')`,
  ),
  buildViolation(
    'a step that no machine has',
    'history_takes_known_steps',
    `${STEP} VALUES (:paid, 'order', :paid, 'complete', 'cart')`,
  ),
  buildRefusal('a step is deleted', 'state_changes_kept', `DELETE FROM state_changes WHERE order_id = :paid`),
  buildViolation(
    'a restore without a step',
    'history_is_a_chain',
    AS_RESTORED,
    `DELETE FROM state_changes WHERE id = (SELECT min(id) FROM state_changes WHERE order_id = :paid AND subject_type = 'order')`,
  ),
  buildViolation(
    'a restore without a history',
    'sold_orders_were_completed',
    AS_RESTORED,
    `DELETE FROM state_changes WHERE order_id = :paid AND subject_type = 'order'`,
  ),
  buildViolation(
    'a step is earlier than the one before it',
    'history_goes_forward',
    `UPDATE state_changes SET created_at = created_at - interval '1 week' WHERE id = (SELECT max(id) FROM state_changes WHERE order_id = :paid)`,
  ),
  buildViolation(
    'a step is in the future',
    'history_goes_forward',
    `UPDATE state_changes SET created_at = created_at + interval '1 week' WHERE id = (SELECT max(id) FROM state_changes WHERE order_id = :paid)`,
  ),
  buildViolation(
    'a history is moved to another order',
    'history_is_told_of_its_order',
    `UPDATE state_changes SET order_id = :unpaid WHERE order_id = :paid AND subject_type = 'payment'`,
  ),
  buildViolation(
    'a history is moved to another payment',
    'history_ends_at_the_state',
    `UPDATE state_changes SET subject_id = 1000000 WHERE order_id = :paid AND subject_type = 'payment'`,
  ),
  buildRefusal(
    'a history of an order whose subject is another order',
    'state_changes_subject_of_order',
    `UPDATE state_changes SET subject_id = :unpaid WHERE order_id = :paid AND subject_type = 'order'`,
  ),
  buildRefusal(
    'a history with an unknown subject type',
    'state_changes_subject_type_known',
    `UPDATE state_changes SET subject_type = 'cat' WHERE order_id = :paid`,
  ),

  buildViolation(
    'a token in the instructions',
    'no_token_in_plain',
    `UPDATE orders SET special_instructions = 'token=' || :token || ';' WHERE id = :unpaid`,
  ),
  buildViolation(
    'a card number in a message',
    'no_card_number',
    `UPDATE payment_operations SET message = 'card 4111-1111-1111-1111 was refused'`,
  ),
  buildViolation(
    'a column for a verification value',
    'no_room_for_secrets',
    `ALTER TABLE credit_cards ADD COLUMN verification_value text`,
  ),
  buildRefusal(
    'a whole card number',
    'credit_cards_last_digits_short',
    `UPDATE credit_cards SET last_digits = '4111111111111111'`,
  ),
  buildRefusal(
    'two orders with the same token',
    'orders_token_hash_unique',
    `UPDATE orders SET token_hash = (SELECT token_hash FROM orders WHERE id = :paid) WHERE id = :unpaid`,
  ),
  buildRefusal(
    'a token in place of its hash',
    'orders_token_hash_length',
    `UPDATE orders SET token_hash = convert_to(:token, 'UTF8') WHERE id = :unpaid`,
  ),
  buildRefusal(
    'two users with the same token',
    'api_tokens_token_hash_unique',
    `UPDATE api_tokens SET token_hash = sha256('known')`,
  ),

  buildRefusal(
    'a buyer is deleted',
    'users_kept',
    `DELETE FROM users WHERE id = (SELECT user_id FROM orders WHERE id = :shipped)`,
  ),
  buildRefusal(
    'two users with the same e-mail address',
    'users_email_unique',
    `UPDATE users SET email = 'Thief@example.com'`,
  ),
  buildViolation(
    'a role of an unknown user',
    'references_lead_somewhere',
    AS_RESTORED,
    `INSERT INTO user_roles (user_id, role_id) SELECT 1000000, min(id) FROM roles`,
  ),
  buildViolation(
    'a user and an order share an address',
    'addresses_have_one_owner',
    `UPDATE users SET ship_address_id = (SELECT ship_address_id FROM orders WHERE id = :paid) WHERE id = (SELECT user_id FROM orders WHERE id = :shipped)`,
  ),
  buildRefusal(
    'the address of an order is deleted',
    'orders_ship_address_id_fkey',
    `UPDATE orders SET bill_address_id = NULL WHERE id = :paid`,
    `DELETE FROM addresses WHERE id = (SELECT ship_address_id FROM orders WHERE id = :paid)`,
  ),
  buildViolation(
    'a restore without addresses',
    'references_lead_somewhere',
    AS_RESTORED,
    `DELETE FROM addresses WHERE id = (SELECT ship_address_id FROM orders WHERE id = :paid)`,
  ),

  buildViolation(
    'a product without a master variant',
    'products_have_one_master',
    `UPDATE variants SET is_master = false WHERE id = (SELECT variant_id FROM line_items WHERE order_id = :paid)`,
  ),
  buildViolation(
    'a product that is listed in no currency',
    'products_have_one_master',
    `UPDATE products SET priced_in = '{}' WHERE id = (SELECT product_id FROM variants JOIN line_items ON variant_id = variants.id WHERE order_id = :paid)`,
  ),
  buildViolation(
    'a restore without a variant',
    'references_lead_somewhere',
    AS_RESTORED,
    `DELETE FROM variants WHERE id = (SELECT variant_id FROM line_items WHERE order_id = :paid)`,
  ),
  buildRefusal(
    'a product with two master variants',
    'variants_one_master',
    `INSERT INTO variants (product_id, is_master, position) SELECT product_id, true, 9 FROM variants WHERE is_master`,
  ),
  buildRefusal('a negative price', 'prices_amount_positive', `UPDATE prices SET amount = -1`),
  buildRefusal('a price of NaN', 'prices_amount_number', `UPDATE prices SET amount = 'NaN'`),
  buildRefusal(
    'two prices in the same currency',
    'prices_variant_currency_unique',
    `INSERT INTO prices (variant_id, currency, amount) SELECT variant_id, currency, 1 FROM prices WHERE deleted_at IS NULL`,
  ),
  buildRefusal('a tax rate of 200 percent', 'tax_rates_amount_range', `UPDATE tax_rates SET amount = 2`),

  buildViolation('triggers are disabled', 'triggers_are_enabled', `ALTER TABLE refunds DISABLE TRIGGER ALL`),
  buildViolation(
    'a trigger that protects orders is dropped',
    'triggers_are_enabled',
    `DROP TRIGGER orders_kept ON orders`,
  ),
  buildViolation(
    'a sequence is behind',
    'sequences_are_ahead',
    `ALTER SEQUENCE orders_id_seq RESTART WITH 1`,
  ),

  buildViolation(
    'the notes of an order that was completed are lost',
    'completed_orders_have_events',
    `DELETE FROM event_notes WHERE kind = 'order' AND subject_id = :unpaid`,
  ),
  buildViolation(
    'the note of a completion says an update',
    'completed_orders_have_events',
    `UPDATE event_notes SET types = jsonb_build_array(jsonb_build_object('type', 'order.updated', 'id', :paid::int))
      WHERE kind = 'order' AND subject_id = :paid AND types @> '[{"type": "order.completed"}]'`,
  ),
];
