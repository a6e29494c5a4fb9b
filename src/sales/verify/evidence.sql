-- Invariants that compare records of sold orders with what documents and operations said of them when they were made.

-- part: LAST_CHANGES
-- The last value of each field of the buyer in the history of a sold order; `"erased"` if the buyer was erased.
SELECT DISTINCT ON (c.order_id, changed.key) c.order_id, changed.key AS name, changed.value -> 1 AS after
  FROM order_changes c CROSS JOIN LATERAL jsonb_each(c.changes) changed
 WHERE c.subject_type = 'order' AND changed.key IN ('email', 'user_id', 'ship_address')
 ORDER BY c.order_id, changed.key, c.id DESC

-- invariant: sold_orders_keep_their_buyer
-- rule: The user, the e-mail address and the country of the ship address of a completed order are those of its invoice, or of the last change in its history
-- table: orders
WITH changed AS MATERIALIZED (${LAST_CHANGES})
SELECT o.id, o.id AS order_id,
       format('%s: user %s instead of %s, e-mail %s instead of %s, country %s instead of %s', o.number, o.user_id, known.user_id,
              o.email, known.email, a.country_id, known.country_id) AS detail
  FROM orders o
  JOIN documents d ON d.order_id = o.id AND d.kind = 'invoice' AND jsonb_exists(d.snapshot, 'version')
  LEFT JOIN addresses a ON a.id = o.ship_address_id
  LEFT JOIN countries printed ON printed.iso = d.snapshot #>> '{ship_address,country_iso}'
  LEFT JOIN changed email ON email.order_id = o.id AND email.name = 'email'
  LEFT JOIN changed owner ON owner.order_id = o.id AND owner.name = 'user_id'
  LEFT JOIN changed address ON address.order_id = o.id AND address.name = 'ship_address'
 CROSS JOIN LATERAL (
   SELECT (CASE WHEN owner.after IS NULL THEN d.snapshot ->> 'user_id' ELSE owner.after #>> '{}' END)::integer AS user_id,
          CASE WHEN email.after IS NULL THEN d.snapshot ->> 'email' ELSE email.after #>> '{}' END AS email,
          CASE WHEN address.after IS NULL THEN printed.id
               ELSE (SELECT min(id) FROM countries WHERE name = address.after ->> 'country') END AS country_id) known
 -- Nothing is known of buyers that were erased, of users that are gone, and of countries that were renamed.
 WHERE coalesce(o.email, '') NOT LIKE 'erased-%@erased.invalid'
   AND (o.email IS DISTINCT FROM known.email
        OR a.country_id <> known.country_id
        OR o.user_id IS DISTINCT FROM known.user_id AND (jsonb_exists(d.snapshot, 'user_id') OR owner.after IS NOT NULL)
           AND (o.user_id IS NOT NULL OR EXISTS (SELECT FROM users WHERE users.id = known.user_id)))

-- invariant: payments_keep_their_response_code
-- rule: A payment that its gateway has approved keeps a response code of the approval, which later captures, voids and refunds need
-- table: payments
SELECT p.id, p.order_id, format('%s: %s, approved with %s', p.number, coalesce(p.response_code, 'none'), approved.codes) AS detail
  FROM payments p
  JOIN (SELECT coalesce(part.authorized_payment_id, part.id) AS root, array_agg(DISTINCT op.response_code) AS codes
          FROM payment_operations op JOIN payments part ON part.id = op.payment_id
         -- What gives money back approves no payment: an imported one may have been approved elsewhere, without a code.
         WHERE op.state = 'approved' AND op.response_code IS NOT NULL AND op.kind IN ('authorize', 'purchase', 'capture')
         GROUP BY 1) approved ON approved.root = coalesce(p.authorized_payment_id, p.id)
 WHERE p.state IN ('pending', 'completed') AND coalesce(p.response_code, '') <> ALL (approved.codes)

-- invariant: payments_keep_their_card
-- rule: A payment that an invoice prints is made with the card that it prints
-- table: payments
SELECT p.id, p.order_id,
       format('%s: card ends in %s, printed %s', p.number, coalesce(card.last_digits, 'none'), printed.row ->> 'last_digits') AS detail
  FROM documents d
 CROSS JOIN LATERAL jsonb_array_elements(d.snapshot -> 'payments') printed(row)
  JOIN payments p ON p.order_id = d.order_id AND p.number = printed.row ->> 'number'
  LEFT JOIN credit_cards card ON card.id = p.credit_card_id
 WHERE d.kind = 'invoice' AND jsonb_exists(d.snapshot, 'version')
   -- Erased cards have no digits.
   AND card.last_digits IS DISTINCT FROM '' AND card.last_digits IS DISTINCT FROM printed.row ->> 'last_digits'

-- invariant: taxes_name_their_rate
-- rule: A tax has the percentage and the name of its tax rate, unless that was changed since; those of imported orders have their own
-- table: adjustments
SELECT a.id, a.order_id, format('%s of %s: %s has %s', a.label, a.rate, tax.name, tax.amount) AS detail
  FROM adjustments a
  LEFT JOIN tax_rates tax ON tax.id = a.source_id AND tax.updated_at <= a.created_at
 -- Earlier versions stored refunds of zero rates too, which only their label tells from taxes that are added.
 CROSS JOIN LATERAL (SELECT a.rate < 0 OR (a.rate = 0 AND a.label LIKE 'Refund % (Included in Price)') AS is_refund) refund
 -- A migration derived the rates of older taxes from their amounts: such a rate has more digits than any tax rate.
 WHERE a.source_type = 'Store::TaxRate' AND scale(trim_scale(a.rate)) <= 5
   AND (a.source_id IS NULL OR abs(a.rate) <> tax.amount OR (a.included OR refund.is_refund) <> tax.included_in_price
        OR strpos(a.label, coalesce(btrim(tax.name), '')) = 0)
   AND NOT EXISTS (SELECT FROM state_changes c WHERE c.order_id = a.order_id AND c.subject_type = 'order'
                      AND c.from_state = 'cart' AND c.to_state = 'complete')

-- invariant: returns_came_back_to_their_location
-- rule: What a return moved in the stock was moved at its stock location
-- table: return_authorizations
SELECT r.id, r.order_id, format('%s: location %s, movement %s at %s', r.number, r.stock_location_id, m.id, item.stock_location_id)
         AS detail
  FROM stock_movements m
  JOIN stock_items item ON item.id = m.stock_item_id
  JOIN return_authorizations r ON r.id = m.originator_id
 WHERE m.originator_type = 'Store::ReturnAuthorization' AND item.stock_location_id <> r.stock_location_id

-- part: FIRST_ADDRESSES
-- The addresses of a sold order before their first change; null without a change.
SELECT DISTINCT ON (c.order_id, changed.key) c.order_id, changed.key AS name, changed.value -> 0 AS before
  FROM order_changes c CROSS JOIN LATERAL jsonb_each(c.changes) changed
 WHERE c.subject_type = 'order' AND changed.key IN ('bill_address', 'ship_address')
 ORDER BY c.order_id, changed.key, c.id

-- invariant: invoices_print_their_addresses
-- rule: An invoice prints the addresses that its order had at the sale, before the changes in its history
-- table: documents
WITH changed AS MATERIALIZED (${FIRST_ADDRESSES})
SELECT d.id, d.order_id, format('%s prints %s as %s, the order had %s', d.number, printed.address, kind.name, known.address) AS detail
  FROM documents d
  JOIN orders o ON o.id = d.order_id
 CROSS JOIN (VALUES ('bill_address'), ('ship_address')) AS kind (name)
  LEFT JOIN changed ON changed.order_id = o.id AND changed.name = kind.name
  LEFT JOIN addresses own ON own.id = CASE kind.name WHEN 'bill_address' THEN o.bill_address_id ELSE o.ship_address_id END
  LEFT JOIN countries own_country ON own_country.id = own.country_id
 CROSS JOIN LATERAL (
   SELECT CASE WHEN changed.order_id IS NOT NULL THEN changed.before
               WHEN own.id IS NULL THEN NULL
               ELSE jsonb_build_object('firstname', own.firstname, 'lastname', own.lastname, 'company', own.company,
                                       'address1', own.address1, 'address2', own.address2, 'city', own.city, 'zipcode', own.zipcode,
                                       'country', own_country.name) END AS address) before
 CROSS JOIN LATERAL (
   SELECT coalesce(jsonb_object_agg(key, value ORDER BY key), '{}') AS address
     FROM jsonb_each_text(CASE jsonb_typeof(before.address) WHEN 'object' THEN before.address ELSE '{}' END)
    WHERE key IN ('firstname', 'lastname', 'company', 'address1', 'address2', 'city', 'zipcode', 'country') AND value <> '') known
 CROSS JOIN LATERAL (
   SELECT coalesce(jsonb_object_agg(key, value ORDER BY key), '{}') AS address
     FROM jsonb_each_text(CASE jsonb_typeof(d.snapshot -> kind.name) WHEN 'object' THEN d.snapshot -> kind.name ELSE '{}' END)
    WHERE key IN ('firstname', 'lastname', 'company', 'address1', 'address2', 'city', 'zipcode', 'country') AND value <> '') printed
 WHERE d.kind = 'invoice' AND jsonb_exists(d.snapshot, 'tax_rounding') AND printed.address <> known.address
   -- Nothing is known of buyers that were erased, and documents keep their names.
   AND coalesce(o.email, '') NOT LIKE 'erased-%@erased.invalid'

-- invariant: cancellations_and_credits_are_dated
-- rule: The time of a cancellation, and that of the credit of a return, matches the history of the order to the day
-- table: orders
SELECT o.id, o.id AS order_id, format('%s: canceled at %s', o.number, o.canceled_at) AS detail
  FROM orders o
 WHERE o.canceled_at IS NOT NULL
   AND EXISTS (SELECT FROM state_changes c WHERE c.order_id = o.id AND c.subject_type = 'order' AND c.to_state = 'canceled')
   AND NOT EXISTS (SELECT FROM state_changes c
                    WHERE c.order_id = o.id AND c.subject_type = 'order' AND c.to_state = 'canceled'
                      AND c.created_at BETWEEN o.canceled_at - interval '1 day' AND o.canceled_at + interval '1 day')
UNION ALL
SELECT o.id, o.id, format('%s: return %s credited at %s', o.number, a.source_id, a.created_at)
  FROM adjustments a JOIN orders o ON o.id = a.order_id
 WHERE a.source_type = 'Store::ReturnAuthorization'
   AND EXISTS (SELECT FROM state_changes c
                WHERE c.order_id = o.id AND c.subject_type = 'return_authorization' AND c.subject_id = a.source_id AND c.to_state = 'received')
   AND NOT EXISTS (SELECT FROM state_changes c
                    WHERE c.order_id = o.id AND c.subject_type = 'return_authorization' AND c.subject_id = a.source_id
                      AND c.to_state = 'received'
                      AND c.created_at BETWEEN a.created_at - interval '1 day' AND a.created_at + interval '1 day')
