import type { Knex } from 'knex';
import { createIndex, run, validate, type Steps } from '../src/platform/database/migrations/steps';

const TABLES = ['products', 'variants', 'orders', 'line_items', 'users'];

/** The tables whose lists are searched by it. */
const SEARCHED = ['products', 'variants', 'orders', 'users'];

/**
 * Data of other systems: `metadata` for staff, `public_metadata` for everyone. The indexes leave out empty objects, so that
 * a record without data is not written to them.
 */
export const up: Steps = TABLES.flatMap((table) => [
  run(`
    ALTER TABLE ${table}
      ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}',
      ADD COLUMN public_metadata jsonb NOT NULL DEFAULT '{}',
      ADD CONSTRAINT ${table}_metadata_object CHECK (jsonb_typeof(metadata) = 'object') NOT VALID,
      ADD CONSTRAINT ${table}_public_metadata_object CHECK (jsonb_typeof(public_metadata) = 'object') NOT VALID;`),
  validate(table, `${table}_metadata_object`),
  validate(table, `${table}_public_metadata_object`),
  ...(SEARCHED.includes(table)
    ? [
        createIndex(
          `${table}_metadata_index`,
          `${table} USING gin (metadata jsonb_path_ops) WHERE metadata <> '{}'`,
        ),
      ]
    : []),
]);

export async function down(knex: Knex): Promise<void> {
  for (const table of TABLES) {
    await knex.raw(`ALTER TABLE ${table} DROP COLUMN metadata, DROP COLUMN public_metadata;`);
  }
}
