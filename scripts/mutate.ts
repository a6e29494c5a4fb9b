/**
 * Changes the code of sales and inventory, one place at a time, and reports which changes no test notices.
 *
 *     npm run mutate -- --sample 200 --seed 1
 *     npm run mutate -- --only src/sales/pricing/kept-adjustments.ts --sample 50
 *     npm run mutate -- --id 'src/sales/pricing/tax-rules.ts#12'
 *
 * CONTRIBUTING.md describes how to read the report.
 */
import { readFileSync, mkdirSync, existsSync, appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import globalSetup from '../test/setup/global-setup';
import globalTeardown from '../test/setup/global-teardown';
import { listMutatedFiles } from './mutation/files';
import { runJest } from './mutation/jest-run';
import { instrument, type Mutant } from './mutation/mutants';
import { loadReach, readLoaded, type Reach, type ReachingTest } from './mutation/reach';
import { drawSample } from './mutation/sample';

const ROOT = path.resolve(__dirname, '..');
const FOLDER = path.join(ROOT, '.data/mutation');

/** How many test files each process of jest runs: the most selective ones first, then more, then all others. */
const BATCHES = [2, 6, Infinity];

/** Starting jest and loading the program, on a busy machine. */
const STARTING_MILLISECONDS = 60_000;

interface Outcome {
  mutant: Mutant;
  result: 'killed' | 'timeout' | 'survived' | 'not reached';
  /** The test that failed. */
  by?: string;
}

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    /** Two processes of jest at a time need two cores. */
    lanes: { type: 'string', default: '2' },
    /** The tests of one mutant run at most about this long, in seconds; what they do not kill counts as survived. */
    seconds: { type: 'string', default: '90' },
    /** After this time no further mutant is tested. */
    minutes: { type: 'string', default: '600' },
    only: { type: 'string', multiple: true },
    id: { type: 'string', multiple: true },
    /** Records anew which tests reach which mutants; needed after changes of the code or of the tests. */
    record: { type: 'boolean', default: false },
  },
});

async function main(): Promise<void> {
  const mutants = listMutatedFiles(ROOT).flatMap(
    (file) => instrument(file, readFileSync(path.join(ROOT, file), 'utf8')).mutants,
  );
  mkdirSync(FOLDER, { recursive: true });
  const reachFolder = path.join(FOLDER, 'reach');
  await globalSetup();
  try {
    const isRecorded = existsSync(path.join(reachFolder, 'failed')) && !values.record;
    const reach = await loadReach(ROOT, reachFolder, isRecorded);
    await testMutants(chooseMutants(mutants, reach, readLoaded(reachFolder)), reach);
  } finally {
    await globalTeardown();
  }
}

function chooseMutants(mutants: readonly Mutant[], reach: Reach, loaded: ReadonlySet<string>): Mutant[] {
  if (values.id !== undefined) return mutants.filter(({ id }) => values.id?.includes(id));
  const inFiles = mutants.filter(
    ({ file }) => values.only === undefined || values.only.some((one) => file.startsWith(one)),
  );
  // What runs only when modules are loaded declares endpoints and schemas, and every test reaches it.
  const candidates = inFiles.filter(({ id }) => reach.has(id) || !loaded.has(id));
  console.log(`${inFiles.length} mutants, ${inFiles.length - candidates.length} of them in declarations`);
  return drawSample(candidates, Number(values.sample), Number(values.seed));
}

async function testMutants(sample: readonly Mutant[], reach: Reach): Promise<void> {
  const log = path.join(FOLDER, 'outcomes.jsonl');
  writeFileSync(log, '');
  const outcomes: Outcome[] = [];
  const waiting = [...sample];
  const end = Date.now() + Number(values.minutes) * 60_000;
  const runLane = async (_: unknown, lane: number): Promise<void> => {
    for (;;) {
      const mutant = waiting.shift();
      if (mutant === undefined || Date.now() > end) return;
      const outcome = await testMutant(mutant, reach.get(mutant.id) ?? [], lane);
      outcomes.push(outcome);
      appendFileSync(log, `${JSON.stringify(outcome)}\n`);
      printOutcome(outcome, outcomes.length, sample.length);
    }
  };
  await Promise.all(Array.from({ length: Number(values.lanes) }, runLane));
  printSummary(outcomes);
}

async function testMutant(mutant: Mutant, tests: readonly ReachingTest[], lane: number): Promise<Outcome> {
  if (tests.length === 0) return { mutant, result: 'not reached' };
  for (const batch of planBatches(tests)) {
    const { failed, isTimeout } = await runJest({
      files: [...new Set(batch.map(({ file }) => file))],
      names: batch.map(({ name }) => name),
      environment: { MUTANT: mutant.id },
      milliseconds: STARTING_MILLISECONDS + 4 * sumMilliseconds(batch),
      output: path.join(FOLDER, `result-${lane}.json`),
      arguments: ['--runInBand', '--bail=1'],
    });
    const [first] = failed;
    if (isTimeout) return { mutant, result: 'timeout' };
    if (first !== undefined) {
      return { mutant, result: 'killed', by: `${path.relative(ROOT, first.file)}: ${first.name}` };
    }
  }
  return { mutant, result: 'survived' };
}

/** Plans the runs of jest for one mutant: as many of its tests as time allows, those that reach the fewest mutants first. */
function planBatches(tests: readonly ReachingTest[]): ReachingTest[][] {
  let left = Number(values.seconds) * 1000;
  const chosen = tests
    .toSorted((one, other) => one.breadth - other.breadth)
    .filter(({ milliseconds }, index) => {
      left -= milliseconds;
      return index === 0 || left > 0;
    });
  let files = [...new Set(chosen.map(({ file }) => file))];
  return BATCHES.flatMap((size) => {
    const batch = new Set(files.slice(0, size));
    files = files.slice(size);
    return batch.size === 0 ? [] : [chosen.filter(({ file }) => batch.has(file))];
  });
}

const sumMilliseconds = (tests: readonly ReachingTest[]): number =>
  tests.reduce((all, { milliseconds }) => all + milliseconds, 0);

function printOutcome({ mutant, result, by }: Outcome, count: number, all: number): void {
  const { id, line, kind } = mutant;
  console.log(`${count}/${all} ${result}: ${id} line ${line}, ${kind}${by === undefined ? '' : ` (${by})`}`);
  if (result === 'survived' || result === 'not reached') console.log(formatDiff(mutant));
}

function formatDiff({ original, replacement }: Mutant): string {
  const mark = (sign: string, text: string): string =>
    text
      .split('\n')
      .map((one) => `    ${sign} ${one}`)
      .join('\n');
  return `${mark('-', original)}\n${mark('+', replacement)}`;
}

function printSummary(outcomes: readonly Outcome[]): void {
  const alive = outcomes.filter(({ result }) => result === 'survived' || result === 'not reached');
  const killed = outcomes.length - alive.length;
  const percent = outcomes.length === 0 ? 0 : (100 * killed) / outcomes.length;
  console.log(`killed ${killed} of ${outcomes.length} (${percent.toFixed(1)} percent), survivors:`);
  for (const { mutant } of alive) {
    console.log(`${mutant.id} line ${mutant.line}, ${mutant.kind}\n${formatDiff(mutant)}`);
  }
}

void main();
