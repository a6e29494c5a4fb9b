import type { Knex } from 'knex';
import { run, type Steps } from '../src/platform/database/migrations/steps';

/** What the conversion of a column needs. */
interface Column {
  column_name: string;
  column_default: string | null;
}

/** All tables with a timestamp but those that count attempts, which no JSON shows. */
const TABLES = [
  ...['addresses', 'adjustments', 'api_tokens', 'classifications', 'credit_cards'],
  ...['documents', 'idempotency_keys', 'images', 'imports', 'inventory_units'],
  ...['line_items', 'option_types', 'option_values', 'order_changes', 'order_promotions'],
  ...['orders', 'password_resets', 'payment_methods', 'payment_operations', 'payments'],
  ...['prices', 'product_listings', 'product_properties', 'product_slugs', 'products'],
  ...['promotion_actions', 'promotion_rules', 'promotions', 'properties', 'refunds'],
  ...['return_authorization_reasons', 'return_authorizations', 'return_items', 'seeds', 'shipments'],
  ...['shipping_categories', 'shipping_methods', 'state_changes', 'stock_items', 'stock_locations'],
  ...['stock_movements', 'stores', 'tax_categories', 'tax_rates', 'taxonomies'],
  ...['taxons', 'users', 'variants', 'zones'],
];

const MILLISECONDS: Change = {
  precision: 6,
  type: 'timestamptz(3)',
  value: (column) => `date_trunc('milliseconds', ${column})`,
  initial: (now) => `date_trunc('milliseconds', ${now})`,
};

const MICROSECONDS: Change = {
  precision: 3,
  type: 'timestamptz',
  value: (column) => column,
  initial: (now) => now,
};

/**
 * Stores all timestamps in milliseconds, as JSON shows them, so that a condition with a value of the API finds its record. Values
 * and defaults are cut, not rounded, because a rounded one may lie in the future.
 *
 * Rewrites each table once, in a transaction of its own.
 */
export const up: Steps = [
  ...TABLES.map((table) => (knex: Knex) => changeColumns(knex, table, MILLISECONDS)),
  run(`
    ALTER TABLE audit_log ALTER COLUMN created_at SET DEFAULT date_trunc('milliseconds', clock_timestamp());

    CREATE OR REPLACE FUNCTION touch_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.updated_at := date_trunc('milliseconds', clock_timestamp());
      RETURN NEW;
    END $$;
  `),
];

export const down: Steps = [
  run(`
    CREATE OR REPLACE FUNCTION touch_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.updated_at := clock_timestamp();
      RETURN NEW;
    END $$;
    ALTER TABLE audit_log ALTER COLUMN created_at SET DEFAULT clock_timestamp();
  `),
  ...TABLES.map((table) => (knex: Knex) => changeColumns(knex, table, MICROSECONDS)),
];

interface Change {
  /** Of the columns to change. */
  precision: number;
  type: string;
  value: (column: string) => string;
  initial: (now: string) => string;
}

async function changeColumns(
  knex: Knex,
  table: string,
  { precision, type, value, initial }: Change,
): Promise<void> {
  const columns = await findColumns(knex, table, precision);
  if (columns.length === 0) return;
  const conditional = await findConditionalTriggers(knex, table);
  for (const { name } of conditional) await knex.raw('DROP TRIGGER ?? ON ??', [name, table]);
  const actions = columns.map((column) => {
    const name = `"${column.column_name}"`;
    const now = /(now|clock_timestamp)\(\)/.exec(column.column_default ?? '')?.[0];
    const setDefault = now === undefined ? '' : `, ALTER ${name} SET DEFAULT ${initial(now)}`;
    return `ALTER ${name} TYPE ${type} USING ${value(name)}${setDefault}`;
  });
  await knex.raw(`ALTER TABLE "${table}" ${actions.join(', ')}`);
  for (const { definition } of conditional) await knex.raw(definition);
}

async function findColumns(knex: Knex, table: string, precision: number): Promise<Column[]> {
  const { rows } = await knex.raw<{ rows: Column[] }>(
    `SELECT column_name, column_default FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = ?
       AND data_type = 'timestamp with time zone' AND datetime_precision = ?
     ORDER BY ordinal_position`,
    [table, precision],
  );
  return rows;
}

/** The condition of a trigger prevents a change of the type of its columns. */
async function findConditionalTriggers(
  knex: Knex,
  table: string,
): Promise<{ name: string; definition: string }[]> {
  const { rows } = await knex.raw<{ rows: { name: string; definition: string }[] }>(
    `SELECT tgname AS name, pg_get_triggerdef(oid) AS definition FROM pg_trigger
     WHERE tgrelid = CAST(? AS regclass) AND NOT tgisinternal AND tgqual IS NOT NULL`,
    [table],
  );
  return rows;
}
