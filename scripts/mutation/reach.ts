import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FileReach } from './in-test';
import { runJest } from './jest-run';

/** The tests that are looked at: those of rules, endpoints, files and races. Random and slow ones are not. */
const TEST_FOLDERS = ['unit/sales', 'unit/inventory', 'inventory', 'sales', 'exchange', 'api', 'concurrency'];

const RECORDING_MINUTES = 60;

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
 * Returns which tests reach which mutants. Recorded by one run of the tests without a mutant, and kept in `folder`
 * until `isRecorded` is false. Tests that fail without a mutant are left out.
 */
export async function loadReach(root: string, folder: string, isRecorded: boolean): Promise<Reach> {
  if (!isRecorded) await recordReach(root, folder);
  return readReach(folder);
}

async function recordReach(root: string, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = TEST_FOLDERS.flatMap((name) => listTestFiles(path.join(root, 'test', name)));
  const { failed, isTimeout } = await runJest({
    files,
    environment: { MUTANT_REACH: folder },
    milliseconds: RECORDING_MINUTES * 60_000,
    output: path.join(folder, 'result'),
  });
  if (isTimeout) throw new Error(`the tests did not end within ${RECORDING_MINUTES} minutes`);
  for (const { file, name } of failed) console.log(`fails without a mutant: ${file} ${name}`);
  writeFileSync(path.join(folder, 'failed'), JSON.stringify(failed));
}

function listTestFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.endsWith('.slow.test.ts'))
    .map((name) => path.join(folder, name));
}

function readReach(folder: string): Reach {
  const failed = new Set(
    // Written above.
    (JSON.parse(readFileSync(path.join(folder, 'failed'), 'utf8')) as { file: string; name: string }[]).map(
      ({ file, name }) => `${file} ${name}`,
    ),
  );
  const reach = new Map<string, ReachingTest[]>();
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.json'))) {
    // Written by in-test.ts.
    const { file, tests, hooks } = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as FileReach;
    for (const test of tests) {
      if (failed.has(`${file} ${test.name}`)) continue;
      const ids = new Set([...test.mutants, ...hooks]);
      const reaching = { file, name: test.name, milliseconds: test.milliseconds, breadth: ids.size };
      for (const id of ids) {
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
    // Written by in-test.ts.
    const { loading } = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as FileReach;
    for (const id of loading) loaded.add(id);
  }
  return loaded;
}
