import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

declare global {
  /** Set by environment.ts, which shares no other value with the tests. */
  var __activeMutant: string | null | undefined;
}

/** Where the recording run writes what each test file reached. */
const folder = process.env.MUTANT_REACH;

/** What one test reached. */
export interface TestReach {
  name: string;
  milliseconds: number;
  mutants: string[];
}

export interface FileReach {
  file: string;
  tests: TestReach[];
  /** Reached outside of tests: in hooks, and when modules were loaded. */
  hooks: string[];
  loading: string[];
}

let reached = new Set<string>();

Object.assign(globalThis, {
  __mutant: (id: string): boolean => {
    if (folder !== undefined) reached.add(id);
    return id === globalThis.__activeMutant;
  },
});

if (folder !== undefined) recordReach(folder);

function recordReach(output: string): void {
  const reach: FileReach = { file: expect.getState().testPath ?? '', tests: [], hooks: [], loading: [] };
  const hooks = new Set<string>();
  let began = 0;
  const empty = (): string[] => {
    const ids = [...reached];
    reached = new Set();
    return ids;
  };
  beforeAll(() => void reach.loading.push(...empty()));
  beforeEach(() => {
    for (const id of empty()) hooks.add(id);
    began = Date.now();
  });
  afterEach(() => {
    const name = expect.getState().currentTestName ?? '';
    reach.tests.push({ name, milliseconds: Date.now() - began, mutants: empty() });
  });
  afterAll(() => {
    for (const id of empty()) hooks.add(id);
    reach.hooks.push(...hooks);
    const name = createHash('sha1').update(reach.file).digest('hex');
    writeFileSync(path.join(output, `${name}.json`), JSON.stringify(reach));
  });
}
