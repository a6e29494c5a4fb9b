import type { Knex } from 'knex';
import {
  inBatches,
  run,
  type IdRange,
  type Step,
  type Steps,
} from '../src/platform/database/migrations/steps';
import { createTouch, KEEP_TIMES } from './times/touch';

/** What the conversion of a column needs. */
interface Column {
  column_name: string;
  column_default: string | null;
}

/** Tables that grow with the orders. Changing a type would rewrite them under a lock, so a trigger cuts what is written. */
const GROWING = [
  ...['addresses', 'adjustments', 'credit_cards', 'documents', 'inventory_units'],
  ...['line_items', 'order_changes', 'orders', 'payment_operations', 'payments'],
  ...['refunds', 'return_authorizations', 'return_items', 'shipments', 'state_changes'],
  ...['stock_movements', 'users'],
];

/** All other tables with a timestamp but those that count attempts, which no JSON shows. */
const TABLES = [
  ...['api_tokens', 'classifications', 'idempotency_keys', 'images', 'imports'],
  ...['option_types', 'option_values', 'order_promotions', 'password_resets', 'payment_methods'],
  ...['prices', 'product_listings', 'product_properties', 'product_slugs', 'products'],
  ...['promotion_actions', 'promotion_rules', 'promotions', 'properties', 'return_authorization_reasons'],
  ...['seeds', 'shipping_categories', 'shipping_methods', 'stock_items', 'stock_locations'],
  ...['stores', 'tax_categories', 'tax_rates', 'taxonomies', 'taxons'],
  ...['variants', 'zones'],
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
 * Rewrites each small table once, in a transaction of its own, and the rows of those that grow in batches.
 */
export const up: Steps = [
  run(createTouch(`date_trunc('milliseconds', clock_timestamp())`)),
  ...GROWING.flatMap((table): Step[] => [
    (knex) => cutWhatIsWritten(knex, table),
    inBatches(table, (knex, range) => cutRows(knex, table, range), { size: 2_000 }),
  ]),
  run(protectDocuments('')),
  ...TABLES.map((table) => (knex: Knex) => changeColumns(knex, table, MILLISECONDS)),
  run(
    `ALTER TABLE audit_log ALTER COLUMN created_at SET DEFAULT date_trunc('milliseconds', clock_timestamp());`,
  ),
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
  ...GROWING.map((table) => (knex: Knex) => leaveWhatIsWritten(knex, table)),
];

/** Creates the trigger and the defaults of a table that grows. */
async function cutWhatIsWritten(knex: Knex, table: string): Promise<void> {
  const columns = await findColumns(knex, table, 6);
  const names = columns.map(({ column_name }) => column_name);
  await knex.raw(`
    CREATE FUNCTION cut_times_of_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      ${names.map((name) => `NEW.${name} := date_trunc('milliseconds', NEW.${name});`).join('\n      ')}
      RETURN NEW;
    END $$;
    CREATE TRIGGER ${table}_milliseconds BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW
      WHEN (${isFiner('NEW.', names)}) EXECUTE FUNCTION cut_times_of_${table}();`);
  await setDefaults(knex, table, columns, MILLISECONDS.initial);
  if (table === 'documents') await knex.raw(protectDocuments(`WHEN (NOT ${KEEP_TIMES})`));
}

async function leaveWhatIsWritten(knex: Knex, table: string): Promise<void> {
  await knex.raw(`DROP TRIGGER ${table}_milliseconds ON ${table}; DROP FUNCTION cut_times_of_${table}();`);
  await setDefaults(knex, table, await findColumns(knex, table, 6), MICROSECONDS.initial);
}

/** Rounding to milliseconds leaves a value that has been cut as it is. */
function isFiner(prefix: string, columns: readonly string[]): string {
  return columns.map((name) => `${prefix}${name} <> ${prefix}${name}::timestamptz(3)`).join(' OR ');
}

/** Leaves out rows that break a constraint which holds for new rows only. */
async function cutRows(knex: Knex, table: string, { after, upTo }: IdRange): Promise<void> {
  const names = (await findColumns(knex, table, 6)).map(({ column_name }) => column_name);
  const values = names.map((name) => `${name} = date_trunc('milliseconds', ${name})`).join(', ');
  const isInRange = `id > ${after} AND id <= ${upTo} AND (${isFiner('', names)})`;
  await knex.raw(`
    SET LOCAL store.keep_times = 'on';
    DO $$
    DECLARE
      finer integer;
    BEGIN
      UPDATE ${table} SET ${values} WHERE ${isInRange};
    EXCEPTION WHEN check_violation THEN
      FOR finer IN SELECT id FROM ${table} WHERE ${isInRange} LOOP
        BEGIN
          UPDATE ${table} SET ${values} WHERE id = finer;
        EXCEPTION WHEN check_violation THEN NULL;
        END;
      END LOOP;
    END $$;`);
}

/** Replaces the trigger that refuses changes of documents. @param condition of the trigger */
function protectDocuments(condition: string): string {
  return `
    DROP TRIGGER documents_unchanged ON documents;
    CREATE TRIGGER documents_unchanged BEFORE UPDATE ON documents
      FOR EACH ROW ${condition} EXECUTE FUNCTION refuse_document_change();`;
}

async function setDefaults(
  knex: Knex,
  table: string,
  columns: readonly Column[],
  initial: (now: string) => string,
): Promise<void> {
  for (const { column_name, column_default } of columns) {
    const now = findNow(column_default);
    if (now !== null)
      await knex.raw(`ALTER TABLE "${table}" ALTER "${column_name}" SET DEFAULT ${initial(now)}`);
  }
}

function findNow(columnDefault: string | null): string | null {
  return /(now|clock_timestamp)\(\)/.exec(columnDefault ?? '')?.[0] ?? null;
}

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
    const now = findNow(column.column_default);
    const setDefault = now === null ? '' : `, ALTER ${name} SET DEFAULT ${initial(now)}`;
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
