-- Whatever changes a sold order makes a document of the difference at the commit, so that invoice + corrections - credit notes are always
-- the order. A snapshot keeps what the document prints. Changes that cancel out at every rate make no document; their entries are offsets.

CREATE OR REPLACE FUNCTION build_document(document_order_id integer, document_kind text, document_entries jsonb,
    document_refund_id integer)
  RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN (
    SELECT jsonb_build_object(
             'version', 2,
             'seller', CASE WHEN s.id IS NOT NULL THEN
  jsonb_build_object(
    'name', s.name, 'url', s.url, 'email', s.mail_from_address, 'issuer', s.invoice_issuer, 'legal_name', s.issuer_name,
    'address1', s.issuer_address1, 'address2', s.issuer_address2, 'zipcode', s.issuer_zipcode, 'city', s.issuer_city,
    'state', s.issuer_state_name, 'country_iso', country.iso, 'phone', s.issuer_phone, 'tax_number', s.issuer_tax_number,
    'vat_id', s.issuer_vat_id, 'bank', s.issuer_bank, 'iban', s.issuer_iban, 'bic', s.issuer_bic, 'footer', s.document_footer, 'logo', s.document_logo) END,
             'locale', coalesce(s.document_locale, 'en'), 'texts', coalesce(s.document_texts, '{}'),
             'date_format', coalesce(s.date_format, 'YYYY-MM-DD'), 'time_zone', coalesce(s.time_zone, 'UTC'),
             'tax_rounding', coalesce(s.document_tax_rounding, 'line'), 'einvoice', coalesce(s.einvoice, false),
             'order_number', o.number, 'completed_at', o.completed_at, 'user_id', o.user_id, 'email', o.email, 'vat_id', coalesce(o.vat_id, buyer.vat_id),
             'bill_address',
  (SELECT jsonb_build_object(
            'firstname', a.firstname, 'lastname', a.lastname, 'company', a.company, 'address1', a.address1,
            'address2', a.address2, 'zipcode', a.zipcode, 'city', a.city, 'state', coalesce(st.abbr, a.state_name), 'state_name', st.name,
            'country', c.name, 'country_iso', c.iso)
     FROM addresses a JOIN countries c ON c.id = a.country_id LEFT JOIN states st ON st.id = a.state_id
    WHERE a.id = o.bill_address_id), 'ship_address',
  (SELECT jsonb_build_object(
            'firstname', a.firstname, 'lastname', a.lastname, 'company', a.company, 'address1', a.address1,
            'address2', a.address2, 'zipcode', a.zipcode, 'city', a.city, 'state', coalesce(st.abbr, a.state_name), 'state_name', st.name,
            'country', c.name, 'country_iso', c.iso)
     FROM addresses a JOIN countries c ON c.id = a.country_id LEFT JOIN states st ON st.id = a.state_id
    WHERE a.id = o.ship_address_id),
             'invoice', CASE WHEN document_kind <> 'invoice' THEN
                               jsonb_build_object('number', invoice.number, 'created_at', invoice.created_at) END,
             'supply',
  (SELECT jsonb_build_object('from', coalesce(min(shipped_at), invoice.created_at, now()),
                             'to', coalesce(max(shipped_at), invoice.created_at, now()))
     FROM shipments WHERE order_id = o.id AND shipped_at IS NOT NULL), 'payments',
  (SELECT coalesce(jsonb_agg(jsonb_build_object(
            'number', p.number, 'method', m.name, 'card_type', card.cc_type, 'last_digits', card.last_digits, 'state', p.state,
            'amount', (p.amount - coalesce((SELECT sum(r.amount) FROM refunds r WHERE r.payment_id = p.id), 0))::text)
            ORDER BY p.id), '[]')
     FROM payments p
     JOIN payment_methods m ON m.id = p.payment_method_id
     LEFT JOIN credit_cards card ON card.id = p.credit_card_id
    WHERE p.order_id = o.id AND p.state IN ('pending', 'completed')), 'rates', rates.rates,
             'net_total', (total.amount - rates.tax)::text, 'tax_total', rates.tax::text, 'total', total.amount::text)
             || coalesce(
  (SELECT jsonb_build_object('reason', r.reason, 'payment_number', p.number, 'payment_method', m.name, 'refunded_at', r.created_at)
     FROM refunds r JOIN payments p ON p.id = r.payment_id JOIN payment_methods m ON m.id = p.payment_method_id
    WHERE r.id = document_refund_id), '{}')
      FROM orders o
      LEFT JOIN users buyer ON buyer.id = o.user_id
      LEFT JOIN stores s ON s.is_default
      LEFT JOIN countries country ON country.id = coalesce(s.issuer_country_id, s.default_country_id)
      LEFT JOIN documents invoice ON invoice.order_id = o.id AND invoice.kind = 'invoice'
     CROSS JOIN LATERAL (SELECT CASE document_kind WHEN 'credit_note' THEN negate_entries(document_entries) ELSE document_entries
         END AS list) printed
     CROSS JOIN LATERAL (SELECT sum_entries(printed.list) AS amount) total
     CROSS JOIN LATERAL (
       SELECT summed AS rates, coalesce((SELECT sum((rate ->> 'tax')::numeric) FROM jsonb_array_elements(summed) rate), 0) AS tax
         FROM sum_rates(printed.list, coalesce(s.document_tax_rounding, 'line') = 'document', o.currency) summed) rates
     WHERE o.id = document_order_id);
END $$;

CREATE OR REPLACE FUNCTION take_next_document_number(document_kind text, document_time timestamptz, OUT series_prefix text,
    OUT next integer)
  RETURNS record LANGUAGE plpgsql AS $$
DECLARE
  store stores%ROWTYPE;
  first integer := 1;
BEGIN
  SELECT * INTO store FROM stores WHERE is_default;
  IF store.id IS NULL THEN
    series_prefix := CASE document_kind WHEN 'invoice' THEN 'INV-' WHEN 'correction' THEN 'COR-' ELSE 'CN-' END;
  ELSE
    series_prefix := CASE document_kind WHEN 'invoice' THEN store.invoice_prefix WHEN 'correction' THEN store.correction_prefix
                                        ELSE store.credit_note_prefix END
      || CASE WHEN store.document_numbers_yearly THEN to_char(document_time AT TIME ZONE store.time_zone, 'YYYY-') ELSE '' END;
    first := CASE document_kind WHEN 'invoice' THEN store.invoice_start WHEN 'correction' THEN store.correction_start
                                ELSE store.credit_note_start END;
  END IF;
  INSERT INTO document_counters AS counter (store_id, kind, series, first_sequence, last_sequence)
  VALUES (coalesce(store.id, 0), document_kind, series_prefix, first, first)
  ON CONFLICT (store_id, kind, series) DO UPDATE SET last_sequence = counter.last_sequence + 1
  RETURNING last_sequence INTO next;
END $$;

CREATE OR REPLACE FUNCTION add_document(document_order_id integer, document_kind text, document_entries jsonb, document_refund_id integer)
  RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  -- Before the number, so that its lock is held for a short time.
  snapshot jsonb := build_document(document_order_id, document_kind, document_entries, document_refund_id);
  given record;
BEGIN
  SELECT * INTO given FROM take_next_document_number(document_kind, now());
  INSERT INTO documents (store_id, order_id, refund_id, kind, series, sequence, number, currency, total, entries, snapshot)
  SELECT (SELECT id FROM stores WHERE is_default), document_order_id, document_refund_id, document_kind, given.series_prefix,
         given.next, given.series_prefix || lpad(given.next::text, greatest(6, length(given.next::text)), '0'), o.currency,
         (snapshot ->> 'total')::numeric, document_entries, snapshot
    FROM orders o WHERE o.id = document_order_id;
END $$;

CREATE OR REPLACE FUNCTION list_documented_entries(document_order_id integer) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN (
  SELECT coalesce(jsonb_agg(entry ORDER BY made.created_at, made.id, place), '[]')
    FROM (SELECT id, created_at, entries FROM documents WHERE order_id = document_order_id
           UNION ALL
          SELECT id, created_at, entries FROM document_offsets WHERE order_id = document_order_id) made
   CROSS JOIN LATERAL jsonb_array_elements(made.entries) WITH ORDINALITY AS listed (entry, place));
END $$;

CREATE OR REPLACE FUNCTION list_refund_entries(document_order_id integer) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN (
  SELECT coalesce(jsonb_agg(entry), '[]')
    FROM (SELECT entries FROM documents WHERE order_id = document_order_id
           UNION ALL
          SELECT entries FROM document_offsets WHERE order_id = document_order_id) made
   CROSS JOIN LATERAL jsonb_path_query(made.entries, '$[*] ? (@.kind == "refund")') entry);
END $$;

CREATE OR REPLACE FUNCTION list_documented_refunds(document_order_id integer) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT difference_of_positions(list_refund_entries(document_order_id), '[]')
$$;

-- Notes what the return that has just credited all of an order takes back beyond its items and freight: whatever the order still has at a
-- rate or without tax. It stays as it is, so that later changes of the order have documents of their own.
CREATE OR REPLACE FUNCTION note_return_remainder(sold_order_id integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  credit record;
BEGIN
  SELECT a.id, a.source_id INTO credit
    FROM adjustments a
   WHERE a.order_id = sold_order_id AND a.source_type = 'Store::ReturnAuthorization'
     AND NOT EXISTS (SELECT FROM return_remainders WHERE return_authorization_id = a.source_id)
     AND NOT EXISTS (SELECT FROM jsonb_array_elements(list_documented_entries(sold_order_id)) entry
                      WHERE entry ->> 'key' LIKE 'return:' || a.id || ':%')
   ORDER BY a.id DESC LIMIT 1;
  IF NOT FOUND THEN RETURN; END IF;
  -- With it, the items and the freight of the return count in full.
  INSERT INTO return_remainders (return_authorization_id, entries) VALUES (credit.source_id, '[]');
  UPDATE return_remainders SET entries = (
    SELECT coalesce(jsonb_agg((entry - 'held' - 'was' - 'charges') || jsonb_build_object(
             'key', 'return:' || credit.id || '::remainder:' || place, 'kind', 'return', 'label', NULL, 'sku', NULL, 'options', NULL,
             'line_item_id', NULL, 'quantity', NULL, 'price', NULL, 'discount', '0', 'relief', '0') ORDER BY place), '[]')
      FROM jsonb_array_elements(difference_of_positions('[]', (
             SELECT jsonb_agg(entry || jsonb_build_object('key', coalesce(entry ->> 'reason', ''), 'quantity', NULL))
               FROM jsonb_array_elements(list_sold_positions(sold_order_id)) entry))) WITH ORDINALITY AS left_over (entry, place))
   WHERE return_authorization_id = credit.source_id;
END $$;

-- What changes of the refunds that no return explains, which are divided in proportion to the rates of an order. They are divided anew
-- when the order has changed and has less than they take back at a rate, or without tax, altogether or for a reason.
CREATE OR REPLACE FUNCTION change_of_refunds(positions jsonb, documented jsonb, refunded_before numeric, refunded numeric, currency text)
  RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN (
  WITH changed AS (
    SELECT CASE WHEN refunded > refunded_before
                THEN share_of_positions(positions || documented, refunded_before - refunded, 'refund', currency)
                WHEN refunded = refunded_before THEN '[]'
                WHEN refunded = 0 THEN negate_entries(documented)
                ELSE share_of_positions(negate_entries(documented), refunded_before - refunded, 'refund', currency) END AS entries),
  rates AS (
    SELECT sum((entry ->> 'total')::numeric) FILTER (WHERE entry ->> 'kind' = 'refund') AS refunds,
           sum((entry ->> 'total')::numeric) FILTER (WHERE entry ->> 'kind' <> 'refund') AS worth
      FROM changed CROSS JOIN LATERAL jsonb_array_elements(positions || documented || entries) entry
     GROUP BY GROUPING SETS ((join_rates(entry -> 'taxes')),
                             (join_rates(entry -> 'taxes'), CASE WHEN entry -> 'taxes' = '[]' THEN entry ->> 'reason' END)))
  SELECT CASE WHEN EXISTS (SELECT FROM rates WHERE refunds < 0 AND -refunds > greatest(worth, 0))
              THEN difference_of_positions(share_of_positions(positions, -refunded, 'refund', currency), documented)
              ELSE entries END
    FROM changed);
END $$;

-- Whether changes cancel out in all that documents print, such as those of a tax rate that was replaced by one with the same name.
CREATE OR REPLACE FUNCTION is_printed_alike(changes jsonb) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN (
  SELECT NOT EXISTS (
    SELECT FROM jsonb_array_elements(changes) change
      LEFT JOIN LATERAL jsonb_array_elements(change -> 'taxes') tax ON true
     GROUP BY change ->> 'key', change ->> 'reason', tax ->> 'rate', tax ->> 'name', tax ->> 'included'
    HAVING sum((change ->> 'net')::numeric) <> 0 OR sum((change ->> 'quantity')::integer) <> 0 OR sum((tax ->> 'amount')::numeric) <> 0));
END $$;

-- Documents the difference of a sold order to what is documented of it.
CREATE OR REPLACE FUNCTION document_positions(sold record, positions jsonb, new_refund_id integer, new_refund_amount numeric)
  RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  before jsonb;
  refunded_before numeric;
  refunded numeric;
  changes jsonb;
  difference numeric;
  is_edited boolean;
  document_kind text;
BEGIN
  IF NOT EXISTS (SELECT FROM documents WHERE order_id = sold.id AND kind = 'invoice') THEN
    PERFORM add_document(sold.id, 'invoice', positions, NULL);
    IF sold.state <> 'canceled' AND new_refund_id IS NULL THEN RETURN; END IF;
  END IF;
  IF sold.state = 'canceled' THEN positions := '[]'; END IF;

  SELECT coalesce(jsonb_agg(entry ORDER BY place) FILTER (WHERE entry ->> 'kind' <> 'refund'), '[]'),
         coalesce(-sum((entry ->> 'total')::numeric) FILTER (WHERE entry ->> 'kind' = 'refund'), 0)
    INTO before, refunded_before
    FROM jsonb_array_elements(list_documented_entries(sold.id)) WITH ORDINALITY AS listed (entry, place);
  refunded := least(refunded_before + new_refund_amount,
                    greatest(CASE sold.state WHEN 'canceled' THEN 0 ELSE sold.total END - sold.payment_total, 0));
  IF new_refund_id IS NOT NULL THEN
    INSERT INTO refund_credits VALUES (new_refund_id, greatest(refunded - refunded_before, 0)) ON CONFLICT DO NOTHING;
  END IF;

  changes := difference_of_positions(positions, before);
  is_edited := EXISTS (SELECT FROM jsonb_array_elements(changes) change WHERE change ->> 'kind' <> 'return');
  IF refunded > 0 OR refunded_before > 0 THEN
    changes := changes || change_of_refunds(positions, list_documented_refunds(sold.id), refunded_before, refunded, sold.currency);
  END IF;
  difference := sum_entries(changes);
  -- A return of what a credit note has taken back already makes no second one.
  IF sum_rates(changes, false, sold.currency) = '[]' AND (NOT is_edited OR sold.state = 'canceled' OR is_printed_alike(changes)) THEN
    INSERT INTO document_offsets (order_id, entries) SELECT sold.id, changes WHERE changes <> '[]';
    RETURN;
  END IF;
  document_kind := CASE WHEN difference < 0 AND (sold.state = 'canceled' OR NOT is_edited) THEN 'credit_note' ELSE 'correction' END;
  PERFORM add_document(sold.id, document_kind, changes, CASE document_kind WHEN 'credit_note' THEN new_refund_id END);
END $$;

-- Begins the documents of an imported order with the invoice that another system made of it.
CREATE OR REPLACE FUNCTION keep_invoice(sold_order_id integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  positions jsonb;
BEGIN
  IF NOT EXISTS (SELECT FROM kept_invoices WHERE order_id = sold_order_id)
     OR EXISTS (SELECT FROM documents WHERE order_id = sold_order_id) THEN RETURN; END IF;
  positions := list_sold_positions(sold_order_id);
  INSERT INTO documents (store_id, order_id, kind, series, sequence, number, currency, total, entries, snapshot, created_at)
  SELECT (SELECT id FROM stores WHERE is_default), o.id, 'invoice', '', NULL, kept.number, o.currency, sum_entries(positions),
         positions, '{}', kept.invoiced_at
    FROM kept_invoices kept JOIN orders o ON o.id = kept.order_id
   WHERE kept.order_id = sold_order_id;
END $$;

-- Documents and books a sold order, at the commit: the row is that of then, not of the statement that fired the trigger. The statements
-- take longer to plan than to run, and the plan for one order fits all.
CREATE OR REPLACE FUNCTION record_sale(sold_order_id integer, new_refund_id integer, new_refund_amount numeric, only_refunds boolean)
  RETURNS void LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  sold orders%ROWTYPE;
  positions jsonb;
  is_new boolean;
BEGIN
  SELECT * INTO sold FROM orders WHERE id = sold_order_id;
  IF sold.completed_at IS NULL THEN RETURN; END IF;
  PERFORM keep_invoice(sold.id);
  IF sold.total = 0 AND sold.state <> 'canceled' THEN PERFORM note_return_remainder(sold.id); END IF;
  positions := list_sold_positions(sold.id);
  -- Before its document takes a number, whose lock lasts until the end of the transaction.
  is_new := book_sale(sold, positions);
  PERFORM document_positions(sold, positions, new_refund_id, new_refund_amount);
  PERFORM book_positions(sold, positions, CASE WHEN NOT is_new THEN only_refunds END);
END $$;

-- Whether a change of an order may change its documents and books. Those of trackings are many at once, when parcels leave in bulk.
CREATE OR REPLACE FUNCTION is_documented(subject_type text, changes jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT subject_type IN ('line_item', 'shipment', 'adjustment') AND changes - '{tracking,tracking_url}'::text[] <> '{}'
$$;

CREATE OR REPLACE FUNCTION document_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The newest history, if it is of this transaction, documents and books the same order at the same commit. A refund is divided over
  -- what is documented before it, so beside one the order is documented at its turn.
  IF EXISTS (SELECT FROM (SELECT xmin FROM order_changes
                           WHERE order_id = NEW.id AND is_documented(subject_type, changes)
                           ORDER BY id DESC LIMIT 1) newest WHERE is_own_write(newest.xmin))
     AND NOT EXISTS (SELECT FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE p.order_id = NEW.id AND is_own_write(r.xmin)) THEN
    RETURN NULL;
  END IF;
  PERFORM record_sale(NEW.id, NULL, 0, TG_OP = 'UPDATE' AND OLD.completed_at IS NOT NULL
    AND (OLD.item_total, OLD.ship_total, OLD.adjustment_total, OLD.included_tax_total, OLD.additional_tax_total, OLD.total_quantity,
        OLD.state)
        IS NOT DISTINCT FROM (NEW.item_total, NEW.ship_total, NEW.adjustment_total, NEW.included_tax_total, NEW.additional_tax_total,
                              NEW.total_quantity, NEW.state));
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER orders_documented AFTER UPDATE ON orders DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN (new.completed_at IS NOT NULL AND (old.completed_at IS NULL OR old.item_total IS DISTINCT FROM new.item_total
    OR old.ship_total IS DISTINCT FROM new.ship_total OR old.adjustment_total IS DISTINCT FROM new.adjustment_total
    OR old.included_tax_total IS DISTINCT FROM new.included_tax_total OR old.additional_tax_total IS DISTINCT
        FROM new.additional_tax_total
    OR old.payment_total IS DISTINCT FROM new.payment_total OR old.total_quantity IS DISTINCT FROM new.total_quantity
    OR old.state IS DISTINCT FROM new.state))
  EXECUTE FUNCTION document_order();
CREATE CONSTRAINT TRIGGER orders_documented_at_insert AFTER INSERT ON orders DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (new.completed_at IS NOT NULL) EXECUTE FUNCTION document_order();

CREATE OR REPLACE FUNCTION document_order_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM order_changes WHERE order_id = NEW.order_id AND id > NEW.id
                    AND is_documented(subject_type, changes)) THEN
    PERFORM record_sale(NEW.order_id, NULL, 0, false);
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER order_changes_documented AFTER INSERT ON order_changes DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (is_documented(new.subject_type, new.changes))
  EXECUTE FUNCTION document_order_change();

CREATE OR REPLACE FUNCTION document_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM record_sale(order_id, NEW.id, NEW.amount, true) FROM payments WHERE id = NEW.payment_id;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER refunds_documented AFTER INSERT ON refunds DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION document_refund();

CREATE OR REPLACE FUNCTION refuse_document_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'document % cannot be changed', OLD.number
    USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
END $$;

CREATE OR REPLACE TRIGGER documents_unchanged BEFORE UPDATE ON documents FOR EACH ROW EXECUTE FUNCTION refuse_document_change();

-- The digest of a document is never calculated again: verify compares it with the content by the same columns in the same order.
CREATE OR REPLACE FUNCTION digest_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.digest := sha256(convert_to(jsonb_build_array(
    NEW.store_id, NEW.order_id, NEW.refund_id, NEW.kind, NEW.series, NEW.sequence, NEW.number, NEW.currency, NEW.total,
    extract(epoch FROM NEW.created_at), NEW.entries, NEW.snapshot)::text, 'UTF8'));
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER documents_digested BEFORE INSERT ON documents FOR EACH ROW EXECUTE FUNCTION digest_document();
