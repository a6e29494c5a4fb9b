-- Invariants of secrets: card numbers and verification values are never stored, tokens only as hashes.

-- part: TEXTS
-- Text columns that could contain a leaked token.
SELECT 'orders.special_instructions' AS place, id, id AS order_id, special_instructions AS words FROM orders
UNION ALL SELECT 'orders.number', id, id, number FROM orders
UNION ALL SELECT 'orders.channel', id, id, channel FROM orders
UNION ALL SELECT 'state_changes.reason', id, order_id, reason FROM state_changes
UNION ALL SELECT 'payments.response_code', id, order_id, response_code FROM payments
UNION ALL SELECT 'payment_operations.message', o.id, p.order_id, o.message
            FROM payment_operations o JOIN payments p ON p.id = o.payment_id
UNION ALL SELECT 'payment_operations.idempotency_key', o.id, p.order_id, o.idempotency_key
            FROM payment_operations o JOIN payments p ON p.id = o.payment_id
UNION ALL SELECT 'api_tokens.name', id, NULL, name FROM api_tokens

-- part: CARD_TEXTS
-- Columns of cards and gateway results, which must not contain a card number.
SELECT 'credit_cards' AS place, c.id, NULL::integer AS order_id,
       concat_ws(' ', c.name, c.month, c.year, c.cc_type, c.last_digits, c.gateway_customer_profile_id,
                 c.gateway_payment_profile_id) AS words
  FROM credit_cards c
UNION ALL SELECT 'payments', p.id, p.order_id, concat_ws(' ', p.response_code, p.avs_response, p.cvv_response_code)
            FROM payments p
UNION ALL SELECT 'payment_operations', o.id, p.order_id, concat_ws(' ', o.message, o.response_code)
            FROM payment_operations o JOIN payments p ON p.id = o.payment_id
UNION ALL SELECT 'state_changes', id, order_id, reason FROM state_changes

-- part: LUHN
-- Selects whether digits pass the Luhn check of ISO/IEC 7812-1, as every card number does.
SELECT sum(CASE WHEN doubled > 9 THEN doubled - 9 ELSE doubled END) % 10 = 0
  FROM (SELECT digit::integer * (1 + (place + 1) % 2)::integer AS doubled
          FROM regexp_split_to_table(reverse(found.digits), '') WITH ORDINALITY AS d(digit, place)) digits

-- invariant: no_token_in_plain
-- rule: No text contains the token of an order or a user
-- table: the place named
-- Hashes each word and compares it with the stored hashes, so that only real tokens match. Most texts are the same in
-- many rows, and are searched once.
WITH texts AS MATERIALIZED (SELECT * FROM (${TEXTS}) every WHERE length(words) >= 16),
hashes AS MATERIALIZED (
  SELECT text.words, sha256(convert_to(word[1], 'UTF8')) AS hash
    FROM (SELECT DISTINCT words FROM texts) text
    CROSS JOIN LATERAL regexp_matches(text.words, '[A-Za-z0-9_-]{16,}', 'g') AS word),
leaks AS MATERIALIZED (
  SELECT DISTINCT words FROM hashes
   WHERE hash IN (SELECT token_hash FROM orders UNION ALL SELECT token_hash FROM api_tokens))
SELECT id, order_id, place || ' holds a token' AS detail FROM texts JOIN leaks USING (words)

-- invariant: no_card_number
-- rule: No card number is stored, neither with cards nor in gateway results
-- table: the place named
SELECT DISTINCT text.id, text.order_id, text.place || ' holds a card number' AS detail
  FROM (SELECT * FROM (${CARD_TEXTS}) every
         WHERE length(words) >= 13 AND words ~ '[3-6]([ -]{0,1}[0-9]){12}') text
  CROSS JOIN LATERAL regexp_matches(text.words, '(^|[^0-9])([3-6]([ -]{0,1}[0-9]){12,18})($|[^0-9])', 'g') AS hit
  CROSS JOIN LATERAL (SELECT regexp_replace(hit[2], '[ -]', '', 'g') AS digits) found
 WHERE (${LUHN})

-- invariant: no_room_for_secrets
-- rule: No column exists for a card number, a verification value or a plain token
-- table: information_schema.columns
-- of the database
SELECT c.ordinal_position::integer AS id, NULL::integer AS order_id,
       format('%s.%s is %s', c.table_name, c.column_name, c.data_type) AS detail
  FROM information_schema.columns c
 WHERE c.table_schema = current_schema()
   AND ((c.table_name = 'credit_cards' AND c.column_name IN
          ('number', 'card_number', 'pan', 'cvv', 'cvc', 'verification_value', 'encrypted_data', 'track_data'))
     OR (c.column_name ~ '(^|_)token(_|$)' AND c.column_name !~ '_name$' AND c.data_type <> 'bytea'))
