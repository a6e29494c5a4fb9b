import { run, validate, type Steps } from '../src/platform/database/migrations/steps';
import { documentingTriggers, BOOKING } from './books/book';

/**
 * Taxes and invoices that another system made of imported sales. An invoice is a document without a number of this store, which begins the documents
 * of its order: what changes later is a correction or credit note that names it.
 */
export const up: Steps = [
  run(`
    -- A tax of another system may have a rate that the store has no tax rate for.
    ALTER TABLE adjustments
      DROP CONSTRAINT adjustments_source_complete,
      ADD CONSTRAINT adjustments_source_complete
        CHECK ((source_type IS NULL) = (source_id IS NULL) OR source_type = 'Store::TaxRate' AND closed) NOT VALID;
  `),
  validate('adjustments', 'adjustments_source_complete'),
  run(`
    ALTER TABLE documents
      ALTER COLUMN sequence DROP NOT NULL,
      -- Only an invoice that was made elsewhere has none.
      ADD CONSTRAINT documents_sequence_present CHECK (sequence IS NOT NULL OR kind = 'invoice' AND series = '') NOT VALID;
    CREATE TABLE kept_invoices (
      order_id integer CONSTRAINT kept_invoices_pkey PRIMARY KEY
        CONSTRAINT kept_invoices_order_id_fkey REFERENCES orders ON DELETE CASCADE,
      -- The number of the order if the invoice has none.
      number text NOT NULL CONSTRAINT kept_invoices_number_present CHECK (number <> ''),
      invoiced_at timestamptz(3) NOT NULL
    );
    CREATE TRIGGER kept_invoices_audit AFTER INSERT OR UPDATE OR DELETE ON kept_invoices FOR EACH ROW
      WHEN (coalesce(current_setting('store.author', true), '') <> '')
      EXECUTE FUNCTION note_audit('Store::Order', 'order_id');

    CREATE FUNCTION keep_invoice(sold_order_id integer) RETURNS void LANGUAGE plpgsql AS $$
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
  `),
  validate('documents', 'documents_sequence_present'),
  run(documentingTriggers({ ...BOOKING, first: 'keep_invoice' })),
];

export const down: Steps = [
  run(`
    ${documentingTriggers(BOOKING)}
    DROP FUNCTION keep_invoice(integer);
    -- The version before has no invoices of others.
    ALTER TABLE documents DISABLE TRIGGER documents_kept;
    DELETE FROM documents WHERE sequence IS NULL;
    ALTER TABLE documents ENABLE TRIGGER documents_kept;
    ALTER TABLE documents ALTER COLUMN sequence SET NOT NULL;
    DROP TABLE kept_invoices;
    ALTER TABLE documents DROP CONSTRAINT documents_sequence_present;
    ALTER TABLE adjustments
      DROP CONSTRAINT adjustments_source_complete,
      ADD CONSTRAINT adjustments_source_complete CHECK ((source_type IS NULL) = (source_id IS NULL)) NOT VALID;
  `),
];
