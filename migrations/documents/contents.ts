/** `series` and `entries` are null in documents of the version before. */
export const COLUMNS = `
  ALTER TABLE documents
    -- What the numbers of the series begin with, and the year if it has one.
    ADD COLUMN series text,
    -- {key, kind, label, sku, options, quantity, price, discount, net, taxes, tax, total, reason, held, was} of each line, freight,
    -- adjustment, return and refund; negative in credit notes.
    ADD COLUMN entries jsonb,
    ADD CONSTRAINT documents_entries_array CHECK (jsonb_typeof(entries) = 'array') NOT VALID,
    ADD CONSTRAINT documents_number_present CHECK (number IS NOT NULL) NOT VALID;
  DROP TRIGGER documents_unchanged ON documents;
  CREATE TRIGGER documents_unchanged BEFORE UPDATE ON documents FOR EACH ROW
    WHEN (OLD.series IS NOT NULL) EXECUTE FUNCTION refuse_document_change();
`;

export const CREDITS = `
  -- What the credit note of a refund takes back: 0 if documents had taken it back before.
  CREATE TABLE refund_credits (
    refund_id integer CONSTRAINT refund_credits_pkey PRIMARY KEY
      CONSTRAINT refund_credits_refund_id_fkey REFERENCES refunds ON DELETE CASCADE,
    amount numeric(20,2) NOT NULL CONSTRAINT refund_credits_amount_positive CHECK (amount >= 0)
  );
`;

/** Builds the functions of the triggers. @param first what they do before they document a change of `sold_order_id` */
export const documentChanges = (first: string): string => `
  CREATE OR REPLACE FUNCTION document_order() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    sold_order_id integer := NEW.id;
  BEGIN${first}
    PERFORM issue_documents(sold_order_id, NULL, 0);
    RETURN NULL;
  END $$;

  -- One change of an order may be many rows; the last one documents them.
  CREATE OR REPLACE FUNCTION document_order_change() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    sold_order_id integer := NEW.order_id;
  BEGIN
    IF NOT EXISTS (SELECT FROM order_changes WHERE order_id = NEW.order_id AND id > NEW.id
                      AND subject_type IN ('line_item', 'shipment', 'adjustment')) THEN${first}
      PERFORM issue_documents(sold_order_id, NULL, 0);
    END IF;
    RETURN NULL;
  END $$;

  CREATE OR REPLACE FUNCTION document_refund() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    sold_order_id integer := (SELECT order_id FROM payments WHERE id = NEW.payment_id);
  BEGIN${first}
    PERFORM issue_documents(sold_order_id, NEW.id, NEW.amount);
    RETURN NULL;
  END $$;
`;

/**
 * Replaces the triggers of the version before. Whoever has changed an order commits first, so that its documents are made by the
 * triggers of one version. The functions of the version before stay, for `down`.
 *
 * Waits for each of five tables, and holds those before; so all of them are free within half a second, or it is tried again.
 */
export const SWITCH = `
  SET LOCAL lock_timeout = '100ms';
  LOCK TABLE orders, order_changes, refunds, documents, document_counters IN ACCESS EXCLUSIVE MODE;

  DROP TRIGGER orders_invoiced_at_insert ON orders;
  DROP TRIGGER orders_invoiced ON orders;
  DROP TRIGGER refunds_noted ON refunds;

  ALTER TABLE documents
    ALTER COLUMN number DROP EXPRESSION,
    ALTER COLUMN number SET NOT NULL,
    DROP CONSTRAINT documents_number_present,
    DROP CONSTRAINT documents_kind_known,
    DROP CONSTRAINT documents_refund_of_credit_note,
    ADD CONSTRAINT documents_kind_known CHECK (kind IN ('invoice', 'correction', 'credit_note')) NOT VALID,
    ADD CONSTRAINT documents_refund_of_credit_note CHECK (refund_id IS NULL OR kind = 'credit_note') NOT VALID;

  ALTER TABLE document_counters
    ADD COLUMN series text NOT NULL DEFAULT '',
    ADD COLUMN first_sequence integer NOT NULL DEFAULT 1;
  UPDATE document_counters SET series = CASE kind WHEN 'invoice' THEN 'INV-' ELSE 'CN-' END;
  ALTER TABLE document_counters
    ALTER COLUMN series DROP DEFAULT,
    ALTER COLUMN first_sequence DROP DEFAULT,
    DROP CONSTRAINT document_counters_pkey,
    ADD CONSTRAINT document_counters_pkey PRIMARY KEY (store_id, kind, series);

  -- Deferred to the commit: a document prints the final rows, and its counter is the last lock of a transaction.
  CREATE CONSTRAINT TRIGGER orders_documented_at_insert AFTER INSERT ON orders DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.completed_at IS NOT NULL) EXECUTE FUNCTION document_order();
  CREATE CONSTRAINT TRIGGER orders_documented AFTER UPDATE ON orders DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.completed_at IS NOT NULL AND (OLD.completed_at IS NULL
      OR (OLD.item_total, OLD.ship_total, OLD.adjustment_total, OLD.included_tax_total, OLD.additional_tax_total, OLD.payment_total,
          OLD.total_quantity, OLD.state)
         IS DISTINCT FROM (NEW.item_total, NEW.ship_total, NEW.adjustment_total, NEW.included_tax_total, NEW.additional_tax_total,
                           NEW.payment_total, NEW.total_quantity, NEW.state)))
    EXECUTE FUNCTION document_order();
  CREATE CONSTRAINT TRIGGER order_changes_documented AFTER INSERT ON order_changes DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.subject_type IN ('line_item', 'shipment', 'adjustment')) EXECUTE FUNCTION document_order_change();
  CREATE CONSTRAINT TRIGGER refunds_documented AFTER INSERT ON refunds DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION document_refund();
`;

export const COMPLETE = `
  ALTER TABLE documents
    ALTER COLUMN series SET NOT NULL,
    ALTER COLUMN entries SET NOT NULL,
    ALTER COLUMN entries SET DEFAULT '[]',
    DROP CONSTRAINT documents_filled;
  DROP TRIGGER documents_unchanged ON documents;
  CREATE TRIGGER documents_unchanged BEFORE UPDATE ON documents FOR EACH ROW EXECUTE FUNCTION refuse_document_change();
`;
