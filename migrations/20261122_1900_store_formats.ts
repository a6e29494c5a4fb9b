import type { Knex } from 'knex';

/** The time zone of reports, and how amounts and dates are shown. The defaults show `$1,234.50`. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE stores
      -- An IANA name; the service validates it.
      ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC' CONSTRAINT stores_time_zone_present CHECK (time_zone <> ''),
      ADD COLUMN currency_display text NOT NULL DEFAULT 'symbol'
        CONSTRAINT stores_currency_display_known CHECK (currency_display IN ('symbol', 'code')),
      ADD COLUMN currency_position text NOT NULL DEFAULT 'before'
        CONSTRAINT stores_currency_position_known CHECK (currency_position IN ('before', 'after')),
      ADD COLUMN decimal_mark text NOT NULL DEFAULT '.'
        CONSTRAINT stores_decimal_mark_known CHECK (decimal_mark IN ('.', ',')),
      ADD COLUMN thousands_separator text NOT NULL DEFAULT ','
        CONSTRAINT stores_thousands_separator_known CHECK (thousands_separator IN (',', '.', ' ', '''', 'none')),
      ADD COLUMN date_format text NOT NULL DEFAULT 'YYYY-MM-DD'
        CONSTRAINT stores_date_format_known CHECK (date_format IN ('YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY')),
      -- Printed on invoices and credit notes: legal name, address, tax number.
      ADD COLUMN invoice_issuer text,
      ADD CONSTRAINT stores_marks_differ CHECK (decimal_mark <> thousands_separator);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE stores DROP CONSTRAINT stores_marks_differ, DROP COLUMN time_zone, DROP COLUMN currency_display,
      DROP COLUMN currency_position, DROP COLUMN decimal_mark, DROP COLUMN thousands_separator, DROP COLUMN date_format,
      DROP COLUMN invoice_issuer;
  `);
}
