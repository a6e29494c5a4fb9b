import type { Migration } from '../src/platform/database/migrations/steps';
import * as baseline from './20261129_0000_baseline';
import * as documentDigests from './20261129_0100_document_digests';

/** All migrations in the order in which they run. Never rename a released migration: its name is stored in every database. */
export const migrations: Migration[] = [
  { name: '20261129_0000_baseline', ...baseline },
  { name: '20261129_0100_document_digests', ...documentDigests },
];
