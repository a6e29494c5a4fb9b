export const ISSUE = `
  -- Locks the counter until the end of the transaction, so that a transaction that fails uses no number.
  CREATE FUNCTION take_next_document_number(document_kind text, document_time timestamptz, OUT series_prefix text, OUT next integer)
  LANGUAGE plpgsql AS $$
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

  CREATE FUNCTION add_document(document_order_id integer, document_kind text, document_entries jsonb, document_refund_id integer)
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

  -- Makes what is missing so that the documents of a completed order are worth what the order is: its total, 0 if it is canceled,
  -- less what was refunded although nothing had been taken back. Repeatable.
  CREATE FUNCTION issue_documents(sold_order_id integer, new_refund_id integer, new_refund_amount numeric) RETURNS void
  LANGUAGE plpgsql AS $$
  DECLARE
    -- The row at the commit, not at the statement that fired the trigger.
    sold orders%ROWTYPE;
    positions jsonb;
    before jsonb;
    refunded_before numeric;
    refunded numeric;
    changes jsonb;
    difference numeric;
    is_edited boolean;
    document_kind text;
  BEGIN
    SELECT * INTO sold FROM orders WHERE id = sold_order_id;
    IF sold.completed_at IS NULL THEN RETURN; END IF;
    positions := list_sold_positions(sold.id);
    IF NOT EXISTS (SELECT FROM documents WHERE order_id = sold.id AND kind = 'invoice') THEN
      PERFORM add_document(sold.id, 'invoice', positions, NULL);
      IF sold.state <> 'canceled' AND new_refund_id IS NULL THEN RETURN; END IF;
    END IF;
    IF sold.state = 'canceled' THEN positions := '[]'; END IF;

    SELECT coalesce(jsonb_agg(entry ORDER BY d.id, place) FILTER (WHERE entry ->> 'kind' <> 'refund'), '[]'),
           coalesce(-sum((entry ->> 'total')::numeric) FILTER (WHERE entry ->> 'kind' = 'refund'), 0)
      INTO before, refunded_before
      FROM documents d CROSS JOIN LATERAL jsonb_array_elements(d.entries) WITH ORDINALITY AS listed (entry, place)
     WHERE d.order_id = sold.id;
    refunded := least(refunded_before + new_refund_amount,
                      greatest(CASE sold.state WHEN 'canceled' THEN 0 ELSE sold.total END - sold.payment_total, 0));
    IF new_refund_id IS NOT NULL THEN
      INSERT INTO refund_credits VALUES (new_refund_id, greatest(refunded - refunded_before, 0)) ON CONFLICT DO NOTHING;
    END IF;

    changes := difference_of_positions(positions, before);
    is_edited := EXISTS (SELECT FROM jsonb_array_elements(changes) change WHERE change ->> 'kind' <> 'return');
    IF refunded > refunded_before THEN
      changes := changes || share_of_positions(
        positions || list_documented_refunds(sold.id), refunded_before - refunded, 'refund', sold.currency);
    ELSIF refunded < refunded_before THEN
      changes := changes || CASE refunded WHEN 0 THEN negate_entries(list_documented_refunds(sold.id)) ELSE
        share_of_positions(negate_entries(list_documented_refunds(sold.id)), refunded_before - refunded, 'refund', sold.currency) END;
    END IF;
    difference := sum_entries(changes);
    -- A return of what a credit note has taken back already makes no second one.
    IF sum_rates(changes, false, sold.currency) = '[]' AND (NOT is_edited OR sold.state = 'canceled') THEN RETURN; END IF;
    document_kind := CASE WHEN difference < 0 AND (sold.state = 'canceled' OR NOT is_edited) THEN 'credit_note' ELSE 'correction' END;
    PERFORM add_document(sold.id, document_kind, changes, CASE document_kind WHEN 'credit_note' THEN new_refund_id END);
  END $$;

  -- The amounts that credit notes took back for refunds alone, by rate; negative.
  CREATE FUNCTION list_documented_refunds(document_order_id integer) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_agg(entry), '[]')
      FROM jsonb_array_elements(difference_of_positions(
             (SELECT coalesce(jsonb_agg(entry ), '[]')
                FROM documents d CROSS JOIN LATERAL jsonb_array_elements(d.entries) entry
               WHERE d.order_id = document_order_id AND entry ->> 'kind' = 'refund'), '[]')) entry
  $$;
`;
