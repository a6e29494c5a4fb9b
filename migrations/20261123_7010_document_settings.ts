import type { Knex } from 'knex';

/** What documents print of the seller, their language, their numbers, and the VAT ids of customers. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE users ADD COLUMN vat_id text;
    ALTER TABLE orders ADD COLUMN vat_id text;

    ALTER TABLE stores
      ADD COLUMN issuer_name text,
      ADD COLUMN issuer_address1 text,
      ADD COLUMN issuer_address2 text,
      ADD COLUMN issuer_zipcode text,
      ADD COLUMN issuer_city text,
      ADD COLUMN issuer_state_name text,
      ADD COLUMN issuer_country_id integer CONSTRAINT stores_issuer_country_id_fkey REFERENCES countries,
      ADD COLUMN issuer_phone text,
      ADD COLUMN issuer_tax_number text,
      ADD COLUMN issuer_vat_id text,
      ADD COLUMN issuer_bank text,
      ADD COLUMN issuer_iban text,
      ADD COLUMN issuer_bic text,
      ADD COLUMN document_footer text,
      ADD COLUMN document_locale text NOT NULL DEFAULT 'en'
        CONSTRAINT stores_document_locale_known CHECK (document_locale IN ('en', 'de', 'fr', 'es', 'it', 'nl', 'ja')),
      -- Replaces labels: {"invoice": "Tax invoice"}.
      ADD COLUMN document_texts jsonb NOT NULL DEFAULT '{}'
        CONSTRAINT stores_document_texts_object CHECK (jsonb_typeof(document_texts) = 'object'),
      ADD COLUMN document_tax_rounding text NOT NULL DEFAULT 'line'
        CONSTRAINT stores_document_tax_rounding_known CHECK (document_tax_rounding IN ('line', 'document')),
      ADD COLUMN einvoice boolean NOT NULL DEFAULT false,
      ADD COLUMN invoice_prefix text NOT NULL DEFAULT 'INV-',
      ADD COLUMN invoice_start integer NOT NULL DEFAULT 1 CONSTRAINT stores_invoice_start_positive CHECK (invoice_start > 0),
      ADD COLUMN credit_note_prefix text NOT NULL DEFAULT 'CN-',
      ADD COLUMN credit_note_start integer NOT NULL DEFAULT 1
        CONSTRAINT stores_credit_note_start_positive CHECK (credit_note_start > 0),
      ADD COLUMN correction_prefix text NOT NULL DEFAULT 'COR-',
      ADD COLUMN correction_start integer NOT NULL DEFAULT 1
        CONSTRAINT stores_correction_start_positive CHECK (correction_start > 0),
      ADD COLUMN document_numbers_yearly boolean NOT NULL DEFAULT false,
      ADD CONSTRAINT stores_prefixes_differ CHECK
        (invoice_prefix <> credit_note_prefix AND invoice_prefix <> correction_prefix AND credit_note_prefix <> correction_prefix);
    CREATE INDEX stores_issuer_country_id_index ON stores (issuer_country_id) WHERE issuer_country_id IS NOT NULL;
  `);
}

export async function down(knex: Knex): Promise<void> {
  const columns = [
    ...['name', 'address1', 'address2', 'zipcode', 'city', 'state_name', 'country_id', 'phone'],
    ...['tax_number', 'vat_id', 'bank', 'iban', 'bic'],
  ].map((name) => `issuer_${name}`);
  columns.push('document_footer', 'document_locale', 'document_texts', 'document_tax_rounding', 'einvoice');
  columns.push('invoice_prefix', 'invoice_start', 'credit_note_prefix', 'credit_note_start');
  columns.push('correction_prefix', 'correction_start', 'document_numbers_yearly');
  await knex.raw(`
    ALTER TABLE stores DROP CONSTRAINT stores_prefixes_differ, ${columns.map((name) => `DROP COLUMN ${name}`).join(', ')};
    ALTER TABLE orders DROP COLUMN vat_id;
    ALTER TABLE users DROP COLUMN vat_id;
  `);
}
