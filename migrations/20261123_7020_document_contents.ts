import type { Knex } from 'knex';
import { DIFFERENCES } from './documents/differences';
import { ISSUE } from './documents/issue';
import { POSITIONS } from './documents/positions';
import { SNAPSHOTS } from './documents/snapshots';

/**
 * Documents have entries: what each takes from or adds to the order, by line and rate. Whatever changes a sold order makes a
 * document of the difference, so that invoice + corrections - credit notes are always the order. Existing invoices get
 * the entries of their orders as they are now, and orders that differ from their documents get a correction.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(TABLES);
  await knex.raw(POSITIONS);
  await knex.raw(DIFFERENCES);
  await knex.raw(SNAPSHOTS);
  await knex.raw(ISSUE);
  await knex.raw(FILL);
  await knex.raw(TRIGGERS);
}

/** The functions of the version before stay, for `down`. */
const TABLES = `
  DROP TRIGGER orders_invoiced_at_insert ON orders;
  DROP TRIGGER orders_invoiced ON orders;
  DROP TRIGGER refunds_noted ON refunds;
  ALTER TABLE documents DISABLE TRIGGER documents_unchanged;

  ALTER TABLE documents ALTER COLUMN number DROP EXPRESSION;
  ALTER TABLE documents
    DROP CONSTRAINT documents_kind_known,
    DROP CONSTRAINT documents_refund_of_credit_note,
    ALTER COLUMN number SET NOT NULL,
    -- What the numbers of the series begin with, and the year if it has one.
    ADD COLUMN series text,
    -- {key, kind, label, sku, options, quantity, price, discount, net, taxes, tax, total, reason, held, was} of each line, freight,
    -- adjustment, return and refund; negative in credit notes.
    ADD COLUMN entries jsonb NOT NULL DEFAULT '[]' CONSTRAINT documents_entries_array CHECK (jsonb_typeof(entries) = 'array'),
    ADD CONSTRAINT documents_kind_known CHECK (kind IN ('invoice', 'correction', 'credit_note')),
    ADD CONSTRAINT documents_refund_of_credit_note CHECK (refund_id IS NULL OR kind = 'credit_note');
  UPDATE documents SET series = CASE kind WHEN 'invoice' THEN 'INV-' ELSE 'CN-' END;
  ALTER TABLE documents ALTER COLUMN series SET NOT NULL;
  DROP INDEX documents_sequence_unique;
  CREATE UNIQUE INDEX documents_sequence_unique ON documents (coalesce(store_id, 0), kind, series, sequence);
  CREATE INDEX documents_number_order_index ON documents (number, id);
  CREATE INDEX documents_created_at_index ON documents (created_at, id);
  CREATE INDEX documents_kind_index ON documents (kind, id);

  ALTER TABLE document_counters
    ADD COLUMN series text NOT NULL DEFAULT '',
    ADD COLUMN first_sequence integer NOT NULL DEFAULT 1;
  UPDATE document_counters SET series = CASE kind WHEN 'invoice' THEN 'INV-' ELSE 'CN-' END;
  ALTER TABLE document_counters
    ALTER COLUMN series DROP DEFAULT,
    ALTER COLUMN first_sequence DROP DEFAULT,
    DROP CONSTRAINT document_counters_pkey,
    ADD CONSTRAINT document_counters_pkey PRIMARY KEY (store_id, kind, series);

  -- What the credit note of a refund takes back: 0 if documents had taken it back before.
  CREATE TABLE refund_credits (
    refund_id integer CONSTRAINT refund_credits_pkey PRIMARY KEY
      CONSTRAINT refund_credits_refund_id_fkey REFERENCES refunds ON DELETE CASCADE,
    amount numeric(20,2) NOT NULL CONSTRAINT refund_credits_amount_positive CHECK (amount >= 0)
  );
  INSERT INTO refund_credits SELECT refund_id, total FROM documents WHERE refund_id IS NOT NULL;
`;

const FILL = `
  DO $$
  DECLARE
    sold record;
    positions jsonb;
    refunded numeric;
    difference numeric;
    changes jsonb;
  BEGIN
    FOR sold IN
      SELECT o.*, d.id AS invoice_id, CASE o.state WHEN 'canceled' THEN 0 ELSE o.total END AS value, d.total - notes.total AS documented,
             notes.total AS credited
        FROM orders o
        JOIN documents d ON d.order_id = o.id AND d.kind = 'invoice'
       CROSS JOIN LATERAL (SELECT coalesce(sum(total), 0) AS total FROM documents WHERE order_id = o.id AND kind = 'credit_note') notes
       ORDER BY o.completed_at, o.id
    LOOP
      positions := CASE sold.state WHEN 'canceled' THEN '[]' ELSE list_sold_positions(sold.id) END;
      refunded := greatest(least(sold.value - sold.documented, sold.credited, sold.value - sold.payment_total), 0);
      positions := positions || share_of_positions(positions, -refunded, 'refund', sold.currency);
      difference := sold.value - refunded - sold.documented;
      IF difference = 0 THEN
        UPDATE documents SET entries = positions WHERE id = sold.invoice_id;
      ELSE
        changes := share_of_positions(CASE positions WHEN '[]' THEN list_sold_positions(sold.id) ELSE positions END,
                                      difference, 'difference', sold.currency);
        UPDATE documents SET entries = positions || negate_entries(changes) WHERE id = sold.invoice_id;
        PERFORM add_document(sold.id, CASE WHEN sold.state = 'canceled' AND difference < 0 THEN 'credit_note' ELSE 'correction' END,
                             changes, NULL);
      END IF;
    END LOOP;
  END $$;
`;

const TRIGGERS = `
  ALTER TABLE documents ENABLE TRIGGER documents_unchanged;
  CREATE FUNCTION document_order() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM issue_documents(NEW.id, NULL, 0);
    RETURN NULL;
  END $$;

  -- One change of an order may be many rows; the last one documents them.
  CREATE FUNCTION document_order_change() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM order_changes WHERE order_id = NEW.order_id AND id > NEW.id
                      AND subject_type IN ('line_item', 'shipment', 'adjustment')) THEN
      PERFORM issue_documents(NEW.order_id, NULL, 0);
    END IF;
    RETURN NULL;
  END $$;

  CREATE FUNCTION document_refund() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM issue_documents((SELECT order_id FROM payments WHERE id = NEW.payment_id), NEW.id, NEW.amount);
    RETURN NULL;
  END $$;

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

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TRIGGER orders_documented_at_insert ON orders;
    DROP TRIGGER orders_documented ON orders;
    DROP TRIGGER order_changes_documented ON order_changes;
    DROP TRIGGER refunds_documented ON refunds;
    DROP FUNCTION document_order(), document_order_change(), document_refund(), issue_documents(integer, integer, numeric),
      add_document(integer, text, jsonb, integer), take_next_document_number(text, timestamptz), build_document(integer, text, jsonb, integer),
      list_sold_positions(integer), difference_of_positions(jsonb, jsonb), share_of_positions(jsonb, numeric, text, text),
      negate_entries(jsonb), sum_rates(jsonb, boolean, text), round_money(numeric, text), sum_entries(jsonb),
      find_tax_free_reason(integer), list_documented_refunds(integer);
    DROP TABLE refund_credits;
    DROP INDEX documents_number_order_index, documents_created_at_index, documents_kind_index, documents_sequence_unique;
    ALTER TABLE documents DISABLE TRIGGER documents_kept;
    -- What the version before has no kind for, and what it has a credit note for.
    DELETE FROM documents WHERE kind = 'correction' OR kind = 'credit_note' AND refund_id IS NULL;
    ALTER TABLE documents ENABLE TRIGGER documents_kept;
    ALTER TABLE documents DISABLE TRIGGER documents_unchanged;
    UPDATE documents d SET sequence = renumbered.place
      FROM (SELECT id, row_number() OVER (PARTITION BY coalesce(store_id, 0), kind ORDER BY created_at, id) AS place FROM documents)
             AS renumbered
     WHERE renumbered.id = d.id AND d.sequence <> renumbered.place;
    ALTER TABLE documents
      DROP CONSTRAINT documents_kind_known,
      DROP CONSTRAINT documents_refund_of_credit_note,
      DROP COLUMN number,
      DROP COLUMN series,
      DROP COLUMN entries,
      ADD COLUMN number text GENERATED ALWAYS AS (
        CASE kind WHEN 'invoice' THEN 'INV-' ELSE 'CN-' END || lpad(sequence::text, greatest(6, length(sequence::text)), '0')) STORED,
      ADD CONSTRAINT documents_kind_known CHECK (kind IN ('invoice', 'credit_note')),
      ADD CONSTRAINT documents_refund_of_credit_note CHECK ((kind = 'credit_note') = (refund_id IS NOT NULL));
    CREATE UNIQUE INDEX documents_sequence_unique ON documents (coalesce(store_id, 0), kind, sequence);
    UPDATE documents d SET total = o.total, snapshot = build_invoice(o.id)
      FROM orders o WHERE o.id = d.order_id AND d.kind = 'invoice' AND jsonb_exists(d.snapshot, 'version');
    UPDATE documents d SET total = r.amount, snapshot = build_credit_note(r.id)
      FROM refunds r WHERE r.id = d.refund_id AND jsonb_exists(d.snapshot, 'version');
    ALTER TABLE documents ENABLE TRIGGER documents_unchanged;
    DELETE FROM document_counters;
    ALTER TABLE document_counters
      DROP CONSTRAINT document_counters_pkey,
      DROP COLUMN series,
      DROP COLUMN first_sequence,
      ADD CONSTRAINT document_counters_pkey PRIMARY KEY (store_id, kind);
    INSERT INTO document_counters (store_id, kind, last_sequence)
    SELECT coalesce(store_id, 0), kind, max(sequence) FROM documents GROUP BY 1, 2;
    CREATE CONSTRAINT TRIGGER orders_invoiced_at_insert AFTER INSERT ON orders DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.completed_at IS NOT NULL) EXECUTE FUNCTION issue_invoice();
    CREATE CONSTRAINT TRIGGER orders_invoiced AFTER UPDATE OF completed_at ON orders DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL) EXECUTE FUNCTION issue_invoice();
    CREATE CONSTRAINT TRIGGER refunds_noted AFTER INSERT ON refunds DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION issue_credit_note();
  `);
}
