import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { recordOf, type FileReach } from './recording';
import { runJest } from './jest-run';

/** The tests that are looked at: those of rules, endpoints, files and races. Random ones are not, and few slow ones. */
export const TEST_FOLDERS: readonly string[] = [
  'unit/sales',
  'unit/inventory',
  'inventory',
  'sales',
  'exchange',
  'api',
  'contract/policy',
  'contract/secrets',
  'concurrency',
];

/** Below test/. Nothing else tests what documents print, because the program renders them in a thread. */
const SLOW_TESTS: readonly string[] = [
  'sales/document-layout.slow.test.ts',
  'sales/einvoices.slow.test.ts',
  'sales/rendered-documents.slow.test.ts',
];

const RECORDING_MINUTES = 20;

/** So many test files are recorded by one process of jest. */
const FILES_OF_PART = 40;

/** A test that reaches a mutant. */
export interface ReachingTest {
  file: string;
  name: string;
  milliseconds: number;
  /** How many mutants it reaches. Tests that reach few are quick and to the point, and run first. */
  breadth: number;
}

/** By id of the mutant. */
export type Reach = ReadonlyMap<string, readonly ReachingTest[]>;

/**
 * Returns which tests reach which mutants. Records what is not recorded yet, and the test files that have changed since; with
 * `isForced`, all of them. `tests` are folders or beginnings of files below test/. Tests that fail without a mutant are left out.
 */
export async function loadReach(
  root: string,
  folder: string,
  { tests, isForced, workers }: { tests: readonly string[]; isForced: boolean; workers: number },
): Promise<Reach> {
  if (isForced) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = listTestFiles(path.join(root, 'test')).filter((file) =>
    tests.some((name) => file.startsWith(path.join(root, 'test', name))),
  );
  const waiting = files.filter((file) => !isRecorded(file, folder));
  // In parts, so that a run that was stopped is continued.
  while (waiting.length > 0) await recordReach(waiting.splice(0, FILES_OF_PART), folder, workers);
  return readReach(files.map((file) => recordOf(file, folder)).filter((record) => existsSync(record)));
}

function isRecorded(file: string, folder: string): boolean {
  const record = recordOf(file, folder);
  return existsSync(record) && statSync(record).mtimeMs > statSync(file).mtimeMs;
}

async function recordReach(files: string[], folder: string, workers: number): Promise<void> {
  console.log(`recording ${files.length} test files, from ${path.basename(files[0] ?? '')}`);
  const { failed, isTimeout } = await runJest({
    files,
    environment: { MUTANT_REACH: folder },
    milliseconds: RECORDING_MINUTES * 60_000,
    output: path.join(folder, 'result'),
    arguments: [`--maxWorkers=${workers}`],
  });
  if (isTimeout) throw new Error(`the tests did not end within ${RECORDING_MINUTES} minutes`);
  for (const { file, name } of failed) console.log(`fails without a mutant: ${file} ${name}`);
}

function listTestFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && (!name.endsWith('.slow.test.ts') || isRun(name)))
    .map((name) => path.join(folder, name));
}

function isRun(name: string): boolean {
  return SLOW_TESTS.includes(name.split(path.sep).join('/'));
}

function readReach(records: readonly string[]): Reach {
  const reach = new Map<string, ReachingTest[]>();
  for (const record of records) {
    // Written by recording.ts.
    const { file, tests } = JSON.parse(readFileSync(record, 'utf8')) as FileReach;
    for (const test of tests) {
      const { name, milliseconds, mutants, isFailed } = test;
      if (isFailed) continue;
      const reaching = { file, name, milliseconds, breadth: mutants.length };
      for (const id of mutants) {
        const others = reach.get(id) ?? [];
        others.push(reaching);
        reach.set(id, others);
      }
    }
  }
  return reach;
}

/** Returns the ids of the mutants that are reached when modules are loaded. */
export function readLoaded(folder: string): Set<string> {
  const loaded = new Set<string>();
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
    // Written by recording.ts.
    const { loading } = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as FileReach;
    for (const id of loading) loaded.add(id);
  }
  return loaded;
}
