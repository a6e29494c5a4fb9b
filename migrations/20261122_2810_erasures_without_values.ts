import type { Knex } from 'knex';

const SECRET = `name = 'preferences' AND TG_TABLE_NAME = 'payment_methods'`;
const ERASED = `${SECRET} OR current_setting('store.erases_person', true) = 'yes'`;

/**
 * Hides all values in the entries of a transaction that erases a person. Otherwise the audit log, which is kept for good, would
 * get a copy of what is erased.
 */
export async function up(knex: Knex): Promise<void> {
  await replaceInTrigger(knex, SECRET, ERASED);
}

export async function down(knex: Knex): Promise<void> {
  await replaceInTrigger(knex, ERASED, SECRET);
}

async function replaceInTrigger(knex: Knex, part: string, by: string): Promise<void> {
  const { rows } = await knex.raw<{ rows: { definition: string }[] }>(
    `SELECT pg_get_functiondef('note_audit'::regproc) AS definition`,
  );
  const definition = rows[0]?.definition ?? '';
  if (!definition.includes(part)) throw new Error(`note_audit does not contain ${part}`);
  await knex.raw(definition.replace(part, by).replaceAll('?', '\\?'));
}
