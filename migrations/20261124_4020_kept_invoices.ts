import { run, validate, type Steps } from '../src/platform/database/migrations/steps';

/**
 * Taxes and invoices that another system made of imported sales. Such an invoice is a document without a number of this store. It
 * begins the documents of its order: what changes later is a correction or credit note that names it.
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
  `),
  validate('documents', 'documents_sequence_present'),
];

export const down: Steps = [
  run(`
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
