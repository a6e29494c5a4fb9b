-- Invariants of references. Foreign keys ensure most of them, unless rows were restored without their checks.

-- invariant: adjustments_have_their_source
-- rule: The tax rate or return that is the source of an adjustment exists; promotions may be deleted, and imported taxes have no tax rate
-- table: adjustments
SELECT a.id, a.order_id, format('from %s %s', a.source_type, a.source_id) AS detail
  FROM adjustments a
 WHERE CASE a.source_type
         -- A tax of an imported sale may have no tax rate.
         WHEN 'Store::TaxRate' THEN a.source_id IS NOT NULL AND NOT EXISTS (SELECT FROM tax_rates r WHERE r.id = a.source_id)
         WHEN 'Store::ReturnAuthorization'
           THEN NOT EXISTS (SELECT FROM return_authorizations r WHERE r.id = a.source_id)
         WHEN 'Store::PromotionAction' THEN a.source_id > coalesce(pg_sequence_last_value(pg_get_serial_sequence('promotion_actions', 'id')::regclass), 0)
         ELSE a.source_type IS NOT NULL END

-- invariant: addresses_have_one_owner
-- rule: An address belongs to only one order or user
-- table: addresses
SELECT owned.id, min(owned.order_id) AS order_id, 'belongs to ' || string_agg(owned.owner, ', ') AS detail
  FROM (SELECT bill_address_id AS id, 'order ' || number AS owner, id AS order_id FROM orders
        UNION SELECT ship_address_id, 'order ' || number, id FROM orders
        UNION SELECT bill_address_id, 'user ' || id, NULL FROM users
        UNION SELECT ship_address_id, 'user ' || id, NULL FROM users
        UNION SELECT address_id, 'user ' || user_id, NULL FROM user_addresses) owned
 WHERE owned.id IS NOT NULL
 GROUP BY owned.id HAVING count(*) > 1

-- invariant: products_have_one_master
-- rule: Every product has one master variant, and is listed in the currencies of its prices
-- table: products
SELECT p.id, NULL::integer AS order_id, format('%s: masters %s, listed in %s, priced in %s', p.name, masters.count,
                                               p.priced_in, masters.currencies) AS detail
  FROM products p
  CROSS JOIN LATERAL (
    SELECT count(DISTINCT v.id) AS count,
           coalesce(array_agg(price.currency ORDER BY price.currency) FILTER (WHERE price.id IS NOT NULL), '{}')
             AS currencies
      FROM variants v LEFT JOIN prices price ON price.variant_id = v.id AND price.deleted_at IS NULL
     WHERE v.product_id = p.id AND v.is_master) masters
 WHERE masters.count <> 1 OR p.priced_in <> masters.currencies
