export const FILL_FIRST = `
    PERFORM fill_documents(sold_order_id);`;

export const FILL = `
  -- Adds what is missing in the documents that the version before has made of an order. Repeatable.
  CREATE FUNCTION fill_documents(sold_order_id integer) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    sold record;
    positions jsonb;
    refunded numeric;
    difference numeric;
    changes jsonb;
  BEGIN
    PERFORM FROM documents WHERE order_id = sold_order_id AND series IS NULL ORDER BY id FOR UPDATE;
    IF NOT FOUND THEN RETURN; END IF;

    INSERT INTO refund_credits
    SELECT refund_id, total FROM documents WHERE order_id = sold_order_id AND series IS NULL AND refund_id IS NOT NULL
        ON CONFLICT DO NOTHING;
    UPDATE documents SET series = 'CN-', entries = '[]'
     WHERE order_id = sold_order_id AND series IS NULL AND kind = 'credit_note';

    SELECT o.*, d.id AS invoice_id, CASE o.state WHEN 'canceled' THEN 0 ELSE o.total END AS value, d.total - notes.total AS documented,
           notes.total AS credited
      INTO sold
      FROM orders o
      JOIN documents d ON d.order_id = o.id AND d.kind = 'invoice' AND d.series IS NULL
     CROSS JOIN LATERAL (SELECT coalesce(sum(total), 0) AS total FROM documents WHERE order_id = o.id AND kind = 'credit_note') notes
     WHERE o.id = sold_order_id;
    IF NOT FOUND THEN RETURN; END IF;

    positions := CASE sold.state WHEN 'canceled' THEN '[]' ELSE list_sold_positions(sold.id) END;
    refunded := greatest(least(sold.value - sold.documented, sold.credited, sold.value - sold.payment_total), 0);
    positions := positions || share_of_positions(positions, -refunded, 'refund', sold.currency);
    difference := sold.value - refunded - sold.documented;
    IF difference = 0 THEN
      UPDATE documents SET series = 'INV-', entries = positions WHERE id = sold.invoice_id;
    ELSE
      changes := share_of_positions(CASE positions WHEN '[]' THEN list_sold_positions(sold.id) ELSE positions END,
                                    difference, 'difference', sold.currency);
      UPDATE documents SET series = 'INV-', entries = positions || negate_entries(changes) WHERE id = sold.invoice_id;
      PERFORM add_document(sold.id, CASE WHEN sold.state = 'canceled' AND difference < 0 THEN 'credit_note' ELSE 'correction' END,
                           changes, NULL);
    END IF;
  END $$;
`;
