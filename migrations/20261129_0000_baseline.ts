import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Knex } from 'knex';
import { run, type Replaced } from '../src/platform/database/migrations/steps';
import { NAMES } from './version-0.1.0';

const SQL = readFileSync(path.join(__dirname, 'baseline.sql'), 'utf8');

const TABLES = [...SQL.matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+)/gm)].map(([, name]) => name);

/** Everything that version 0.1.0 has built in 89 migrations. */
export const up = run(SQL);

export const down = run(`
  DROP TABLE ${TABLES.join(', ')};
  DROP SEQUENCE event_ids, feed_marks;
  DROP FUNCTION change_time(), random_revision();
  DROP EXTENSION IF EXISTS pg_trgm;
`);

export const replaces: Replaced = { version: '0.1.0', names: NAMES, adopt };

/** From here on, the files of functions drop what they lack, whoever created it. Nothing has called these since their documents. */
async function adopt(tx: Knex): Promise<void> {
  await tx.raw(`
    DROP FUNCTION IF EXISTS
      build_credit_note, build_invoice, issue_credit_note, issue_invoice, take_document_number;
    UPDATE knex_migrations_functions SET is_added = true WHERE name NOT IN ('change_time', 'random_revision')
  `);
}
