import type { Knex } from 'knex';

/** Columns of type timestamptz with a given precision, and the rest of what their conversion needs. */
interface Column {
  table_name: string;
  column_name: string;
  column_default: string | null;
}

/**
 * Stores all timestamps in milliseconds, as JSON shows them, so that a condition with a value of the API finds its record. Values
 * and defaults are cut, not rounded, because a rounded one may lie in the future. Tables with a generated timestamp are left out:
 * they are counters that no JSON shows.
 *
 * Rewrites each table once.
 */
export async function up(knex: Knex): Promise<void> {
  await changeColumns(knex, 6, {
    type: 'timestamptz(3)',
    value: (column) => `date_trunc('milliseconds', ${column})`,
    initial: (now) => `date_trunc('milliseconds', ${now})`,
  });
  await knex.raw(`
    ALTER TABLE audit_log ALTER COLUMN created_at SET DEFAULT date_trunc('milliseconds', clock_timestamp());

    CREATE OR REPLACE FUNCTION touch_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.updated_at := date_trunc('milliseconds', clock_timestamp());
      RETURN NEW;
    END $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE OR REPLACE FUNCTION touch_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.updated_at := clock_timestamp();
      RETURN NEW;
    END $$;
  `);
  await changeColumns(knex, 3, {
    type: 'timestamptz',
    value: (column) => column,
    initial: (now) => now,
  });
  await knex.raw(`
    ALTER TABLE audit_log ALTER COLUMN created_at TYPE timestamptz(3);
  `);
}

interface Change {
  type: string;
  value: (column: string) => string;
  initial: (now: string) => string;
}

async function changeColumns(knex: Knex, precision: number, change: Change): Promise<void> {
  const columns = await findColumns(knex, precision);
  for (const table of new Set(columns.map(({ table_name }) => table_name))) {
    const own = columns.filter(({ table_name }) => table_name === table);
    const conditional = await findConditionalTriggers(knex, table);
    for (const { name } of conditional) await knex.raw('DROP TRIGGER ?? ON ??', [name, table]);
    const actions = own.map((column) => {
      const name = `"${column.column_name}"`;
      const now = /(now|clock_timestamp)\(\)/.exec(column.column_default ?? '')?.[0];
      const initial = now === undefined ? '' : `, ALTER ${name} SET DEFAULT ${change.initial(now)}`;
      return `ALTER ${name} TYPE ${change.type} USING ${change.value(name)}${initial}`;
    });
    await knex.raw(`ALTER TABLE "${table}" ${actions.join(', ')}`);
    for (const { definition } of conditional) await knex.raw(definition);
  }
}

async function findColumns(knex: Knex, precision: number): Promise<Column[]> {
  const { rows } = await knex.raw<{ rows: Column[] }>(
    `SELECT c.table_name, c.column_name, c.column_default
     FROM information_schema.columns AS c JOIN information_schema.tables AS t USING (table_schema, table_name)
     WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
       AND c.data_type = 'timestamp with time zone' AND c.datetime_precision = ?
       AND c.table_name NOT LIKE 'knex_%'
       AND NOT EXISTS (
         SELECT FROM information_schema.columns AS g
         WHERE g.table_schema = c.table_schema AND g.table_name = c.table_name AND g.is_generated = 'ALWAYS'
           AND g.data_type = 'timestamp with time zone')
     ORDER BY c.table_name, c.ordinal_position`,
    [precision],
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
