-- The books of sales: what was sold, taxed, changed, returned and refunded, each by its own date. At the commit of each change of a sold
-- order, triggers write the difference to its entries so far, so that these always add up to the order.

CREATE OR REPLACE FUNCTION flatten_entries(entries jsonb)
  RETURNS TABLE(kind text, variant_id integer, tax_rate_id integer, rate numeric, included boolean, name text, reason text,
      orders integer, products integer, lines integer, units integer, item_total numeric, discount_total numeric, ship_total numeric,
      relief numeric, net numeric, base numeric, tax numeric, at timestamptz) LANGUAGE sql STABLE AS $$
    SELECT part.kind, part.variant_id, (tax ->> 'source')::integer, (tax ->> 'rate')::numeric, (tax ->> 'included')::boolean,
           CASE WHEN tax ->> 'source' IS NULL THEN tax ->> 'name' END, CASE WHEN tax IS NULL THEN entry ->> 'reason' END,
           0, CASE WHEN part.kind = 'line' THEN part.first * (row_number() OVER (PARTITION BY part.kind, variant.product_id, part.first
                                                         ORDER BY part.variant_id) = 1)::integer ELSE 0 END,
           CASE WHEN part.kind = 'line' THEN part.first ELSE 0 END,
           CASE WHEN part.kind = 'line' THEN part.first * coalesce((entry ->> 'quantity')::integer, 0) ELSE 0 END,
           CASE WHEN part.kind = 'line' THEN part.first * part.gross ELSE 0 END,
           part.first * (coalesce((entry ->> 'discount')::numeric, 0) + CASE WHEN part.source_type = 'Store::PromotionAction'
               THEN part.net ELSE 0 END),
           CASE WHEN part.kind = 'freight' THEN part.first * part.gross ELSE 0 END,
           -- Returns have theirs in the rows beyond the entries: documents of earlier versions did not print it.
           part.first * (CASE WHEN part.kind = 'return' THEN 0 ELSE coalesce((entry ->> 'relief')::numeric, 0) END + CASE WHEN part.source_type = 'Store::TaxRate' THEN part.net
               ELSE 0 END),
           part.first * part.net, part.net, coalesce((tax ->> 'amount')::numeric, 0), part.at
      FROM jsonb_array_elements(entries) entry
      LEFT JOIN LATERAL jsonb_array_elements(entry -> 'taxes') WITH ORDINALITY AS charged (tax, place) ON true
     CROSS JOIN LATERAL (
       SELECT entry ->> 'kind' AS kind, (place IS NULL OR place = 1)::integer AS first, (entry ->> 'net')::numeric AS net,
              (entry ->> 'net')::numeric - coalesce((entry ->> 'discount')::numeric, 0) - coalesce((entry ->> 'relief')::numeric, 0) +
  (SELECT coalesce(sum((one ->> 'amount')::numeric) FILTER (WHERE (one ->> 'included')::boolean), 0)
     FROM jsonb_array_elements(entry -> 'taxes') one) AS gross,
              CASE WHEN entry ->> 'kind' = 'line' THEN split_part(entry ->> 'key', ':', 2)::integer
                   WHEN entry ->> 'kind' = 'return' THEN nullif(split_part(entry ->> 'key', ':', 3), '')::integer
                   ELSE line.variant_id END AS variant_id,
              adjusted.source_type, CASE WHEN entry ->> 'kind' = 'return' THEN adjusted.created_at END AS at
         FROM (SELECT CASE WHEN entry ->> 'kind' IN ('adjustment', 'return') THEN split_part(entry ->> 'key', ':', 2)::integer
             END AS id) own
         LEFT JOIN adjustments adjusted ON adjusted.id = own.id
         LEFT JOIN line_items line ON line.id = adjusted.line_item_id) part
      LEFT JOIN variants variant ON variant.id = part.variant_id
$$;

-- What returns take back of an order beyond the entries of its documents. Most orders have no returns, and the plan takes longer to start
-- than to run.
CREATE OR REPLACE FUNCTION list_returned_rows(sold_order_id integer)
  RETURNS TABLE(kind text, variant_id integer, tax_rate_id integer, rate numeric, included boolean, name text, reason text,
      orders integer, products integer, lines integer, units integer, item_total numeric, discount_total numeric, ship_total numeric,
      relief numeric, net numeric, base numeric, tax numeric, at timestamptz) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  IF NOT EXISTS (SELECT FROM return_authorizations r WHERE r.order_id = sold_order_id) THEN RETURN; END IF;
  RETURN QUERY
  SELECT 'return', item.variant_id, NULL::integer, NULL::numeric, NULL::boolean, NULL::text, NULL::text, 0, 0, 0,
         -item.quantity, 0::numeric, 0::numeric, 0::numeric,
         CASE WHEN item.relief = 0 THEN 0 ELSE
              round_money(-item.credited * item.upto / item.relief, item.currency)
              - round_money(-item.credited * (item.upto - item.own) / item.relief, item.currency) END,
         0::numeric, 0::numeric, 0::numeric,
         (SELECT max(c.created_at) FROM state_changes c
           WHERE c.order_id = sold_order_id AND c.subject_type = 'return_authorization' AND c.subject_id = item.return_id
             AND c.to_state = 'received')
    FROM (SELECT worth.*, sum(own) OVER (PARTITION BY return_id) AS relief, sum(own) OVER (PARTITION BY return_id ORDER BY worth.id) AS upto,
                 CASE WHEN closing.return_authorization_id IS NOT NULL THEN sum(own) OVER (PARTITION BY return_id)
                      ELSE greatest(coalesce(credit.additional_tax, 0), sum(own) OVER (PARTITION BY return_id)) END AS credited
            FROM (SELECT item.id, r.id AS return_id, o.currency, line.variant_id, item.quantity,
                         -- Units of a taxed line item that were credited too much before can have a negative tax, too.
                         CASE WHEN item.additional_tax < 0
                               AND EXISTS (SELECT FROM adjustments a WHERE a.line_item_id = item.line_item_id AND a.eligible
                                              AND a.source_type = 'Store::TaxRate' AND NOT a.included AND a.rate < 0)
                              THEN item.additional_tax ELSE 0 END AS own
                    FROM orders o
                    JOIN return_authorizations r ON r.order_id = o.id AND r.state = 'received'
                    JOIN return_items item ON item.return_authorization_id = r.id
                    JOIN line_items line ON line.id = item.line_item_id
                   WHERE o.id = sold_order_id) worth
            LEFT JOIN adjustments credit ON credit.order_id = sold_order_id AND credit.source_type = 'Store::ReturnAuthorization'
                                        AND credit.source_id = worth.return_id
            LEFT JOIN return_remainders closing ON closing.return_authorization_id = worth.return_id) item
     UNION ALL
  SELECT 'return', NULL::integer, taxed.tax_rate_id, taxed.rate, taxed.included,
         CASE WHEN taxed.rate IS NOT NULL AND taxed.tax_rate_id IS NULL THEN taxed.name END,
         -- Freight without tax was sold with this reason; the rest is no turnover of its own.
         CASE WHEN taxed.rate IS NULL AND taxed.is_freight
              THEN find_untaxed_reason(sold_order_id, coalesce((taxed.terms ->> 'is_export')::boolean, EXISTS (
                     SELECT FROM adjustments relieved
                      WHERE relieved.shipment_id = taxed.shipment_id AND relieved.source_type = 'Store::TaxRate'
                        AND relieved.eligible AND NOT relieved.included AND relieved.rate < 0 AND relieved.amount <> 0))) END,
         0, 0, 0, 0, 0, 0, 0, CASE WHEN taxed.place = 1 THEN -taxed.relief ELSE 0 END,
         CASE WHEN taxed.place = 1 THEN -(taxed.amount - taxed.taxes) ELSE 0 END, -(taxed.amount - taxed.taxes), -taxed.tax,
         taxed.credited_at
    FROM (SELECT part.*, rated.source_id AS tax_rate_id, rated.rate, rated.included, rated.label AS name,
                 part.included_tax + greatest(part.additional_tax, 0) AS taxes,
                 row_number() OVER (PARTITION BY part.key ORDER BY rated.id) AS place,
                 CASE WHEN rated.id IS NULL THEN part.included_tax + greatest(part.additional_tax, 0)
                      ELSE
  CASE WHEN sum(abs(rated.amount)) OVER (PARTITION BY part.key, rated.included) = 0 THEN 0
       ELSE round_money(CASE WHEN rated.included THEN part.included_tax ELSE part.additional_tax END * sum(abs(rated.amount)) OVER (PARTITION BY part.key, rated.included ORDER BY rated.rate, rated.source_id)
                        / nullif(sum(abs(rated.amount)) OVER (PARTITION BY part.key, rated.included), 0), sold.currency)
          - round_money(CASE WHEN rated.included THEN part.included_tax ELSE part.additional_tax END * (sum(abs(rated.amount)) OVER (PARTITION BY part.key, rated.included ORDER BY rated.rate, rated.source_id) - abs(rated.amount))
                        / nullif(sum(abs(rated.amount)) OVER (PARTITION BY part.key, rated.included), 0), sold.currency) END END AS tax
            FROM (
              SELECT kind || freight.id AS key, CASE kind WHEN 'freight ' THEN freight.shipment_id END AS shipment_id,
                     CASE kind WHEN 'freight ' THEN freight.terms END AS terms,
                     kind = 'freight ' AND (freight.shipment_id IS NOT NULL OR freight.terms IS NOT NULL) AS is_freight,
                     CASE kind WHEN 'freight ' THEN freight.amount - coalesce(freight.untaxed, 0) ELSE freight.untaxed END AS amount,
                     CASE kind WHEN 'freight ' THEN freight.included_tax ELSE 0 END AS included_tax,
                     CASE kind WHEN 'freight ' THEN freight.additional_tax ELSE 0 END AS additional_tax,
                     CASE kind WHEN 'freight ' THEN least(freight.additional_tax, 0) ELSE 0 END AS relief, credit.created_at AS credited_at
                FROM return_freights freight
                JOIN adjustments credit ON credit.source_type = 'Store::ReturnAuthorization'
                                       AND credit.source_id = freight.return_authorization_id AND credit.order_id = sold_order_id
               CROSS JOIN (VALUES ('freight '), ('untaxed freight ')) AS kinds (kind)
              UNION ALL
              -- The entries of the units have their worth, or less if less was credited. A remainder has entries of its own.
              SELECT 'rest ' || credit.id, NULL, NULL, false, rest.amount * (1 - closes), rest.included_tax * (1 - closes),
                     rest.additional_tax * (1 - closes), CASE WHEN closes = 0 THEN least(rest.additional_tax, 0)
                       WHEN is_relieved THEN credit.additional_tax - coalesce(item.additional_tax, 0) - coalesce(freight.additional_tax, 0)
                       ELSE 0 END, credit.created_at
                FROM (SELECT id, order_id, source_type, source_id, amount, coalesce(included_tax, 0) AS included_tax,
                             coalesce(additional_tax, 0) AS additional_tax, created_at FROM adjustments) credit
               CROSS JOIN LATERAL (SELECT sum(amount) AS amount, sum(included_tax) AS included_tax, sum(additional_tax) AS additional_tax
                                     FROM return_freights WHERE return_authorization_id = credit.source_id) freight
               CROSS JOIN LATERAL (SELECT sum(amount) AS amount, sum(included_tax) AS included_tax, sum(additional_tax) AS additional_tax
                                     FROM return_items WHERE return_authorization_id = credit.source_id) item
               CROSS JOIN LATERAL (
                 SELECT -credit.amount - least(-credit.amount, coalesce(item.amount, 0)) - coalesce(freight.amount, 0) AS amount,
                        credit.included_tax - least(credit.included_tax, coalesce(item.included_tax, 0))
                          - coalesce(freight.included_tax, 0) AS included_tax,
                        credit.additional_tax - CASE WHEN coalesce(item.additional_tax, 0) < 0
                            THEN greatest(credit.additional_tax, coalesce(item.additional_tax, 0))
                            ELSE least(greatest(credit.additional_tax, 0), coalesce(item.additional_tax, 0)) END
                          - coalesce(freight.additional_tax, 0) AS additional_tax) rest
               CROSS JOIN LATERAL (SELECT count(*)::integer AS closes FROM return_remainders
                                    WHERE return_authorization_id = credit.source_id) closing
               CROSS JOIN (SELECT count(*) > 0 AS is_relieved FROM adjustments
                            WHERE order_id = sold_order_id AND source_type = 'Store::TaxRate' AND eligible AND NOT included AND rate < 0) sale
               WHERE credit.order_id = sold_order_id AND credit.source_type = 'Store::ReturnAuthorization') part
            JOIN orders sold ON sold.id = sold_order_id
           CROSS JOIN (SELECT min(shipment_id) AS shipment_id, min(line_item_id) AS line_item_id FROM adjustments
                        WHERE order_id = sold_order_id AND source_type = 'Store::TaxRate' AND eligible AND amount <> 0) charged
            LEFT JOIN LATERAL (
              SELECT a.id, a.source_id, a.rate, a.included, a.label, a.amount FROM adjustments a
               WHERE part.terms IS NULL AND a.order_id = sold_order_id AND a.source_type = 'Store::TaxRate' AND a.eligible
                 AND (a.amount <> 0 OR part.is_freight)
                 AND CASE WHEN coalesce(part.shipment_id, charged.shipment_id) IS NULL THEN a.line_item_id = charged.line_item_id
                          ELSE a.shipment_id = coalesce(part.shipment_id, charged.shipment_id) END
               UNION ALL
              SELECT kept.id, kept.source_id, kept.rate, kept.included, kept.label, kept.amount
                FROM jsonb_to_recordset(part.terms -> 'taxes')
                     AS kept (id integer, source_id integer, rate numeric, included boolean, label text, amount numeric)) rated
             -- A part of the freight can be too small for a tax, or an untaxed adjustment of free freight.
              ON (rated.included AND (part.included_tax <> 0 OR part.is_freight)
                  OR NOT rated.included AND rated.rate >= 0
                     AND (part.additional_tax > 0 OR part.is_freight AND part.additional_tax = 0))
           WHERE part.amount <> 0 OR part.included_tax <> 0 OR part.additional_tax <> 0 OR part.relief <> 0) taxed;
END $$;

CREATE OR REPLACE FUNCTION list_book_rows(sold_order_id integer, positions jsonb)
  RETURNS TABLE(kind text, variant_id integer, tax_rate_id integer, rate numeric, included boolean, name text, reason text,
      orders integer, products integer, lines integer, units integer, item_total numeric, discount_total numeric, ship_total numeric,
      relief numeric, net numeric, base numeric, tax numeric, at timestamptz) LANGUAGE sql STABLE AS $$
    SELECT 'order', NULL::integer, NULL::integer, NULL::numeric, NULL::boolean, NULL::text, NULL::text,
           1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL::timestamptz
     UNION ALL
    -- By a name, because a function of a query is called instead of becoming part of the statement.
    SELECT flat.*
      FROM (SELECT coalesce(jsonb_agg(entry), '[]') AS entries FROM jsonb_array_elements(positions) entry
             WHERE entry ->> 'kind' <> 'return' OR split_part(entry ->> 'key', ':', 3) <> ''
                OR split_part(entry ->> 'key', ':', 4) = 'remainder') kept
     CROSS JOIN LATERAL flatten_entries(kept.entries) flat
     UNION ALL
    SELECT * FROM list_returned_rows(sold_order_id)
     UNION ALL
    SELECT 'adjustment', line.variant_id, NULL::integer, NULL::numeric, NULL::boolean, NULL::text, NULL::text,
           0, 0, 0, 0, 0, -sum(a.amount), 0, 0, 0, 0, 0, NULL::timestamptz
      FROM adjustments a LEFT JOIN line_items line ON line.id = a.line_item_id
     WHERE a.order_id = sold_order_id AND a.taxed AND a.eligible
     GROUP BY line.variant_id
$$;

-- Books a sold order of which nothing is booked yet. @returns whether it did
CREATE OR REPLACE FUNCTION book_sale(sold record, positions jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  country integer;
BEGIN
  IF EXISTS (SELECT FROM book_entries WHERE order_id = sold.id) THEN RETURN false; END IF;
  SELECT a.country_id INTO country FROM addresses a WHERE a.id = coalesce(sold.ship_address_id, sold.bill_address_id);
  INSERT INTO book_entries (order_id, booked_at, kind, variant_id, country_id, tax_rate_id, rate, included, name, reason, orders,
      products, lines, units, item_total, discount_total, ship_total, relief, net, base, tax)
  SELECT sold.id, coalesce(at, sold.completed_at), kind, variant_id, country, tax_rate_id, rate, included, name, reason,
      sum(orders) AS orders, sum(products) AS products, sum(lines) AS lines, sum(units) AS units, sum(item_total) AS item_total,
      sum(discount_total) AS discount_total, sum(ship_total) AS ship_total, sum(relief) AS relief, sum(net) AS net, sum(base) AS base,
      sum(tax) AS tax
    FROM list_book_rows(sold.id, positions)
   GROUP BY at, kind, variant_id, tax_rate_id, rate, included, name, reason
  HAVING sum(orders) <> 0 OR sum(products) <> 0 OR sum(lines) <> 0 OR sum(units) <> 0 OR sum(item_total) <> 0
      OR sum(discount_total) <> 0 OR sum(ship_total) <> 0 OR sum(relief) <> 0 OR sum(net) <> 0 OR sum(base) <> 0 OR sum(tax) <> 0;
  RETURN true;
END $$;

-- Books the difference of a sold order to what is booked of it, and the refunds that are documented. Null for `only_refunds`: the sale was
-- booked in this call of record_sale. One that began before an upgrade has not called book_sale.
CREATE OR REPLACE FUNCTION book_positions(sold record, positions jsonb, only_refunds boolean) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  country integer;
  changed_at timestamptz := date_trunc('milliseconds', now());
BEGIN
  IF only_refunds IS NULL OR book_sale(sold, positions) THEN
    IF sold.state = 'canceled' THEN changed_at := coalesce(sold.canceled_at, changed_at);
    ELSE
      SELECT max(r.created_at) INTO changed_at FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE p.order_id = sold.id;
      -- Without refunds, what was just booked is all.
      IF changed_at IS NULL THEN RETURN; END IF;
    END IF;
    only_refunds := sold.state <> 'canceled';
  END IF;
  SELECT a.country_id INTO country FROM addresses a WHERE a.id = coalesce(sold.ship_address_id, sold.bill_address_id);

  INSERT INTO book_entries (order_id, booked_at, kind, variant_id, country_id, tax_rate_id, rate, included, name, reason, orders,
      products, lines, units, item_total, discount_total, ship_total, relief, net, base, tax)
  SELECT sold.id, changed_at, kind, variant_id, country_id, tax_rate_id, rate, included, name, reason, sum(orders) AS orders,
      sum(products) AS products, sum(lines) AS lines, sum(units) AS units, sum(item_total) AS item_total,
      sum(discount_total) AS discount_total, sum(ship_total) AS ship_total, sum(relief) AS relief, sum(net) AS net, sum(base) AS base,
      sum(tax) AS tax
    FROM (SELECT kind, variant_id, tax_rate_id, rate, included, name, reason, country AS country_id, orders, products, lines, units,
        item_total, discount_total, ship_total, relief, net, base, tax FROM list_book_rows(sold.id, positions)
           WHERE NOT only_refunds AND sold.state <> 'canceled'
           UNION ALL
          SELECT kind, variant_id, tax_rate_id, rate, included, name, reason, country, orders, products, lines, units, item_total,
              discount_total, ship_total, relief, net, base, tax FROM flatten_entries(list_refund_entries(sold.id)) refunded
           UNION ALL
          SELECT kind, variant_id, tax_rate_id, rate, included, name, reason, country_id, -orders, -products, -lines, -units, -item_total,
              -discount_total, -ship_total, -relief, -net, -base, -tax FROM book_entries
           WHERE order_id = sold.id AND (kind = 'refund' OR NOT only_refunds)) entries
   GROUP BY kind, variant_id, country_id, tax_rate_id, rate, included, name, reason
  HAVING sum(orders) <> 0 OR sum(products) <> 0 OR sum(lines) <> 0 OR sum(units) <> 0 OR sum(item_total) <> 0 OR sum(discount_total) <> 0
      OR sum(ship_total) <> 0 OR sum(relief) <> 0 OR sum(net) <> 0 OR sum(base) <> 0 OR sum(tax) <> 0;
END $$;

CREATE OR REPLACE FUNCTION book_order_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Another country can move what is not taxed to another reason, of which the documents tell as well.
  PERFORM record_sale(NEW.order_id, NULL, 0, false);
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER order_changes_booked AFTER INSERT ON order_changes DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN (new.subject_type = 'order'::text AND (jsonb_exists(new.changes, 'ship_address'::text)
    OR jsonb_exists(new.changes, 'bill_address'::text)))
  EXECUTE FUNCTION book_order_change();

CREATE OR REPLACE FUNCTION refuse_book_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'book entry % cannot be changed', OLD.id
    USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
END $$;

CREATE OR REPLACE TRIGGER book_entries_unchanged BEFORE DELETE
    OR UPDATE ON book_entries FOR EACH ROW EXECUTE FUNCTION refuse_book_change();
