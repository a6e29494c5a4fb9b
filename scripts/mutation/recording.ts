import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Circus } from '@jest/types';
import { takeReached } from './switch';

/** What one test reached. */
export interface TestReach {
  name: string;
  milliseconds: number;
  isFailed: boolean;
  mutants: string[];
}

export interface FileReach {
  file: string;
  tests: TestReach[];
  /** Reached when modules were loaded, by the first file of the process that uses them. */
  loading: string[];
}

export interface Recording {
  handle: (event: Circus.AsyncEvent | Circus.SyncEvent) => void;
}

/** Records what the tests of a file reach in a file of the folder MUTANT_REACH. @returns null without that folder */
export function startRecording(file: string): Recording | null {
  const folder = process.env.MUTANT_REACH;
  if (folder === undefined) return null;
  const reach: FileReach = { file, tests: [], loading: [] };
  let began = 0;
  takeReached();
  return {
    handle(event) {
      if (event.name === 'run_start') reach.loading = takeReached();
      if (event.name === 'test_fn_start') {
        // Mutants are active in tests alone, not in hooks.
        takeReached();
        began = Date.now();
      }
      if (event.name === 'test_fn_success' || event.name === 'test_fn_failure') {
        reach.tests.push({
          name: nameTest(event.test),
          milliseconds: Date.now() - began,
          isFailed: event.name === 'test_fn_failure',
          mutants: takeReached(),
        });
      }
      if (event.name === 'run_finish') {
        writeFileSync(recordOf(file, folder), JSON.stringify(reach));
      }
    },
  };
}

/** Returns the file that has what the tests of a file reach. */
export function recordOf(file: string, folder: string): string {
  return path.join(folder, `${createHash('sha1').update(file).digest('hex')}.json`);
}

/** Returns the full name, without the block of the file. */
function nameTest(test: Circus.TestEntry): string {
  const names = [test.name];
  for (let block = test.parent; block.parent !== undefined; block = block.parent) names.unshift(block.name);
  return names.join(' ');
}
