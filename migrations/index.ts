import type { Migration } from '../src/platform/database/migrations/steps';
import * as baseline from './20261129_0000_baseline';

/** All migrations in the order in which they run. Never rename a released migration: its name is stored in every database. */
export const migrations: Migration[] = [{ name: '20261129_0000_baseline', ...baseline }];
