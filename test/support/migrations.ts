import { runMigration } from '../../src/platform/database/migrations/run-migration';
import type { Steps } from '../../src/platform/database/migrations/steps';
import { testDb } from './database';

/** Runs the steps of a migration on the database of the test file, as a start would. Nothing is noted. */
export async function runSteps(steps: Steps): Promise<void> {
  // A reverted migration leaves no note.
  const migration = { name: 'steps of a test', up: [], down: steps };
  await runMigration(testDb(), migration, { direction: 'down', batch: 0, interrupted: null });
}
