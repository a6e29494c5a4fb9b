import { AMOUNTS, DIMENSIONS } from './flatten';

const list = (names: readonly string[]): string => names.join(', ');
const OWN_DIMENSIONS = DIMENSIONS.filter((name) => name !== 'country_id');
const COLUMNS = list([...DIMENSIONS, ...AMOUNTS]);
const SUMS = list(AMOUNTS.map((name) => `sum(${name}) AS ${name}`));
const NEGATIVES = list(AMOUNTS.map((name) => `-${name}`));
const HAS_AMOUNT = AMOUNTS.map((name) => `sum(${name}) <> 0`).join(' OR ');

/** What credit notes took back for refunds that no return covers. Documents decide it. */
const REFUNDS = `
  SELECT * FROM flatten_entries((
    SELECT coalesce(jsonb_agg(entry), '[]')
      FROM documents d CROSS JOIN LATERAL jsonb_array_elements(d.entries) entry
     WHERE d.order_id = sold.id AND entry ->> 'kind' = 'refund'))`;

export const BOOK = `
  -- Writes what changed of a sold order since its last entries; first, all of it. 'only_refunds': nothing else has changed.
  -- Repeatable. The caller holds the lock of the order.
  CREATE FUNCTION book_order(sold_order_id integer, only_refunds boolean) RETURNS void LANGUAGE plpgsql AS $$
  #variable_conflict use_column
  DECLARE
    -- The row at the commit, not at the statement that fired the trigger.
    sold orders%ROWTYPE;
    country integer;
    positions jsonb;
    changed_at timestamptz := date_trunc('milliseconds', now());
  BEGIN
    SELECT * INTO sold FROM orders WHERE id = sold_order_id;
    IF sold.completed_at IS NULL THEN RETURN; END IF;
    SELECT a.country_id INTO country FROM addresses a WHERE a.id = coalesce(sold.ship_address_id, sold.bill_address_id);

    IF NOT EXISTS (SELECT FROM book_entries WHERE order_id = sold.id) THEN
      -- The invoice of this moment lists the positions already.
      SELECT d.entries INTO positions FROM documents d
       WHERE d.order_id = sold.id AND d.created_at = changed_at
         AND NOT EXISTS (SELECT FROM documents other WHERE other.order_id = sold.id AND other.id <> d.id);
      positions := coalesce(positions, list_sold_positions(sold.id));
      INSERT INTO book_entries (order_id, booked_at, ${COLUMNS})
      SELECT sold.id, coalesce(at, sold.completed_at), ${list(DIMENSIONS.map((name) => (name === 'country_id' ? 'country' : name)))}, ${SUMS}
        FROM list_book_rows(sold.id, positions)
       GROUP BY at, ${list(OWN_DIMENSIONS)}
      HAVING ${HAS_AMOUNT};
      IF sold.state = 'canceled' THEN changed_at := coalesce(sold.canceled_at, changed_at);
      ELSE SELECT coalesce(max(r.created_at), changed_at) INTO changed_at
             FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE p.order_id = sold.id;
      END IF;
      only_refunds := sold.state <> 'canceled';
    END IF;

    IF NOT only_refunds AND sold.state <> 'canceled' THEN positions := list_sold_positions(sold.id); END IF;
    INSERT INTO book_entries (order_id, booked_at, ${COLUMNS})
    SELECT sold.id, changed_at, ${list(DIMENSIONS)}, ${SUMS}
      FROM (SELECT ${list(OWN_DIMENSIONS)}, country AS country_id, ${list(AMOUNTS)} FROM list_book_rows(sold.id, positions)
             WHERE NOT only_refunds AND sold.state <> 'canceled'
             UNION ALL
            SELECT ${list(OWN_DIMENSIONS)}, country, ${list(AMOUNTS)} FROM (${REFUNDS}) refunded
             UNION ALL
            SELECT ${list(OWN_DIMENSIONS)}, country_id, ${NEGATIVES} FROM book_entries
             WHERE order_id = sold.id AND (kind = 'refund' OR NOT only_refunds)) entries
     GROUP BY ${list(DIMENSIONS)}
    HAVING ${HAS_AMOUNT};
  END $$;
`;

/** The functions of the triggers of documents. Each issues documents first: what refunds take back is read from them. */
const issuing = (book: { order: string; change: string; refund: string }): string => `
  CREATE OR REPLACE FUNCTION document_order() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM issue_documents(NEW.id, NULL, 0);
    ${book.order}
    RETURN NULL;
  END $$;

  CREATE OR REPLACE FUNCTION document_order_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM order_changes WHERE order_id = NEW.order_id AND id > NEW.id
                      AND subject_type IN ('line_item', 'shipment', 'adjustment')) THEN
      PERFORM issue_documents(NEW.order_id, NULL, 0);
      ${book.change}
    END IF;
    RETURN NULL;
  END $$;

  CREATE OR REPLACE FUNCTION document_refund() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    refunded_order_id integer := (SELECT order_id FROM payments WHERE id = NEW.payment_id);
  BEGIN
    PERFORM issue_documents(refunded_order_id, NEW.id, NEW.amount);
    ${book.refund}
    RETURN NULL;
  END $$;
`;

/** The functions as they were before there were books. */
export const DOCUMENTING_TRIGGERS = issuing({ order: '', change: '', refund: '' });

export const BOOKING_TRIGGERS = `
  ${issuing({
    order: `PERFORM book_order(NEW.id, TG_OP = 'UPDATE' AND OLD.completed_at IS NOT NULL
      AND (OLD.item_total, OLD.ship_total, OLD.adjustment_total, OLD.included_tax_total, OLD.additional_tax_total, OLD.total_quantity, OLD.state)
          IS NOT DISTINCT FROM (NEW.item_total, NEW.ship_total, NEW.adjustment_total, NEW.included_tax_total, NEW.additional_tax_total,
                                NEW.total_quantity, NEW.state));`,
    change: 'PERFORM book_order(NEW.order_id, false);',
    refund: 'PERFORM book_order(refunded_order_id, true);',
  })}

  CREATE FUNCTION book_order_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM book_order(NEW.order_id, false);
    RETURN NULL;
  END $$;

  -- Sales are booked by country.
  CREATE CONSTRAINT TRIGGER order_changes_booked AFTER INSERT ON order_changes DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.subject_type = 'order' AND (jsonb_exists(NEW.changes, 'ship_address') OR jsonb_exists(NEW.changes, 'bill_address')))
    EXECUTE FUNCTION book_order_change();

  CREATE FUNCTION refuse_book_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'book entry % cannot be changed', OLD.id
      USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
  END $$;
  CREATE TRIGGER book_entries_unchanged BEFORE UPDATE OR DELETE ON book_entries FOR EACH ROW EXECUTE FUNCTION refuse_book_change();
  CREATE TRIGGER book_entries_not_truncated BEFORE TRUNCATE ON book_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncation();
`;
