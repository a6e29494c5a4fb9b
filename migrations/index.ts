import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { readMigration, type Migration } from '../src/platform/database/migrations/steps';

const load = createRequire(__filename);

/**
 * All migrations, which are the files of this folder whose names begin with digits, in the order in which they run. Never rename the
 * file of a released migration: its name is stored in every database.
 */
export const migrations: Migration[] = readdirSync(__dirname)
  .filter((file) => /^\d.*\.[jt]s$/.test(file))
  .map((file) => file.slice(0, -'.ts'.length))
  .toSorted()
  .map((name) => readMigration(name, load(`./${name}`)));
