/**
 * Changes the code of sales, inventory and idempotency, one place at a time, and reports which changes no test notices.
 *
 *     npm run mutate -- --sample 200 --seed 1
 *     npm run mutate -- --only src/sales/pricing/kept-adjustments.ts --sample 50
 *     npm run mutate -- --id 'src/sales/pricing/tax-rules.ts#12'
 *
 * CONTRIBUTING.md describes how to read the report.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import globalSetup from '../test/setup/global-setup';
import globalTeardown from '../test/setup/global-teardown';
import { isEquivalent } from './mutation/equivalent';
import { listMutatedFiles } from './mutation/files';
import { ledgerOf } from './mutation/ledger';
import { instrument, type Mutant } from './mutation/mutants';
import { loadReach, readLoaded, TEST_FOLDERS, type Reach } from './mutation/reach';
import { testMutants, type Outcome } from './mutation/test-mutants';
import { drawSample } from './mutation/sample';

const ROOT = path.resolve(__dirname, '..');
const FOLDER = path.join(ROOT, '.data/mutation');

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    /** Two processes of jest at a time need two cores. */
    lanes: { type: 'string', default: '2' },
    /** The tests of one mutant run at most about this long, in seconds; what they do not kill counts as survived. */
    seconds: { type: 'string', default: '90' },
    /** After this time no further tests are started; mutants that still have some count as not finished. */
    minutes: { type: 'string', default: '600' },
    only: { type: 'string', multiple: true },
    id: { type: 'string', multiple: true },
    /** Folders or beginnings of files below test/; only their tests are run. */
    tests: { type: 'string', multiple: true },
    /** Records again which tests reach which mutants; needed after changes of the code. */
    record: { type: 'boolean', default: false },
  },
});

async function main(): Promise<void> {
  const mutants = listMutatedFiles(ROOT).flatMap(
    (file) => instrument(file, readFileSync(path.join(ROOT, file), 'utf8')).mutants,
  );
  mkdirSync(FOLDER, { recursive: true });
  if (values.record) rmSync(ledgerOf(FOLDER), { force: true });
  const reachFolder = path.join(FOLDER, 'reach');
  await globalSetup();
  try {
    const recording = {
      tests: values.tests ?? TEST_FOLDERS,
      isForced: values.record,
      workers: Number(values.lanes),
    };
    const reach = await loadReach(ROOT, reachFolder, recording);
    const sample = chooseMutants(mutants, reach, readLoaded(reachFolder));
    const limits = {
      lanes: Number(values.lanes),
      seconds: Number(values.seconds),
      minutes: Number(values.minutes),
    };
    printSummary(await testMutants(sample, reach, { folder: FOLDER, ...limits }));
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
  const sample = drawSample(candidates, Number(values.sample), Number(values.seed));
  const nontrivial = sample.filter((mutant) => !isEquivalent(mutant));
  console.log(
    `${sample.length - nontrivial.length} of the sample are known to be equivalent (equivalent.ts)`,
  );
  return nontrivial;
}

function formatDiff({ original, replacement }: Mutant): string {
  const mark = (sign: string, text: string): string =>
    text
      .split('\n')
      .map((one) => `    ${sign} ${one}`)
      .join('\n');
  return `${mark('-', original)}\n${mark('+', replacement)}`;
}

/** The percentage counts mutants that are not finished as alive: those that are hard to kill are the last. */
function printSummary(outcomes: readonly Outcome[]): void {
  const alive = outcomes.filter(({ result }) => result !== 'killed');
  for (const { mutant, result } of alive) {
    console.log(`${result}: ${mutant.id} line ${mutant.line}, ${mutant.kind}\n${formatDiff(mutant)}`);
  }
  const killed = outcomes.length - alive.length;
  const percent = outcomes.length === 0 ? 0 : (100 * killed) / outcomes.length;
  const unfinished = alive.filter(({ result }) => result === 'not finished').length;
  console.log(
    `killed ${killed} of ${outcomes.length} (${percent.toFixed(1)} percent), ${unfinished} not finished in time`,
  );
}

void main();
