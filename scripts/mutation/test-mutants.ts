import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plan, TestOutcome } from './environment';
import { runJest } from './jest-run';
import { openLedger, type Ledger } from './ledger';
import type { Mutant } from './mutants';
import type { Reach, ReachingTest } from './reach';
import { drawSample } from './sample';

export interface Outcome {
  mutant: Mutant;
  result: 'killed' | 'survived' | 'not reached' | 'not finished';
}

export interface Limits {
  /** Where plans and outcomes are written. */
  folder: string;
  /** How many processes of jest run at a time. */
  lanes: number;
  /** How long the tests of one mutant run at most; what they do not kill has survived. */
  seconds: number;
  /** No tests are started afterwards. */
  minutes: number;
}

/** How many tests of a mutant each round runs. Most mutants are killed in the first. */
const ROUNDS = [3, 8, 24, Infinity];

/** Test files of one process: enough to spread its start, few enough to lose little if a mutant loops forever. */
const FILES_OF_PROCESS = 12;

const STARTING_MILLISECONDS = 120_000;

/** A mutant and the tests that it has not met. */
interface Candidate {
  mutant: Mutant;
  left: ReachingTest[];
}

/**
 * Runs the mutants through the tests that reach them, in rounds: most selective tests first, all mutants of a test
 * together.
 */
export async function testMutants(
  mutants: readonly Mutant[],
  reach: Reach,
  limits: Limits,
): Promise<Outcome[]> {
  const end = Date.now() + limits.minutes * 60_000;
  const ledger = openLedger(limits.folder);
  const reached = mutants.filter((mutant) => reach.has(mutant.id) && !ledger.has(mutant));
  let alive = reached.map((mutant): Candidate => ({
    mutant,
    left: selectTests(reach.get(mutant.id) ?? [], limits.seconds),
  }));
  for (const size of ROUNDS) {
    const killed = await runRound(alive, size, { ...limits, end, ledger });
    alive = alive.filter(({ mutant }) => !killed.has(mutant.id));
    console.log(`${new Date().toISOString()} ${alive.length} of ${mutants.length} mutants are alive`);
  }
  const resultOf = (mutant: Mutant): Outcome['result'] => {
    if (!reach.has(mutant.id)) return 'not reached';
    const candidate = alive.find((one) => one.mutant === mutant);
    if (candidate === undefined) return 'killed';
    return candidate.left.length > 0 ? 'not finished' : 'survived';
  };
  return mutants.map((mutant) => ({ mutant, result: resultOf(mutant) }));
}

/**
 * Returns the tests that run within this time: in turn the quickest that reaches the fewest mutants, and any. The first are
 * to the point, but may reach the place of the mutant without looking at its result.
 */
function selectTests(tests: readonly ReachingTest[], seconds: number): ReachingTest[] {
  let left = seconds * 1000;
  const costOf = ({ milliseconds, breadth }: ReachingTest): number => (milliseconds + 20) * breadth;
  const sorted = tests.toSorted((one, other) => costOf(one) - costOf(other));
  const drawn = drawSample(tests, tests.length, tests.length);
  return [...new Set(sorted.flatMap((test, index) => [test, drawn[index] ?? test]))].filter(
    ({ milliseconds }, index) => {
      left -= milliseconds;
      return index === 0 || left > 0;
    },
  );
}

/** Runs the next tests of every mutant. @returns the ids of the killed ones */
async function runRound(
  candidates: readonly Candidate[],
  size: number,
  { folder, lanes, end, ledger }: Limits & { end: number; ledger: Ledger },
): Promise<Set<string>> {
  const byFile = new Map<string, { candidate: Candidate; test: ReachingTest }[]>();
  for (const candidate of candidates) {
    for (const test of candidate.left.slice(0, size)) {
      byFile.set(test.file, [...(byFile.get(test.file) ?? []), { candidate, test }]);
    }
  }
  const killed = new Set<string>();
  // The files with the most work first, so that the lanes end together.
  const waiting = [...byFile].toSorted(([, one], [, other]) => other.length - one.length);
  const runLane = async (_: unknown, lane: number): Promise<void> => {
    while (waiting.length > 0 && Date.now() < end) {
      const part = waiting.splice(0, FILES_OF_PROCESS).flatMap(([, meetings]) => meetings);
      const open = part.filter(({ candidate }) => !killed.has(candidate.mutant.id));
      if (open.length > 0) await runPart(open, killed, path.join(folder, `lane-${lane}`));
      for (const { candidate } of open) if (killed.has(candidate.mutant.id)) ledger.add(candidate.mutant);
    }
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
  return killed;
}

type Meeting = { candidate: Candidate; test: ReachingTest };

/**
 * Runs tests with mutants in one process, and again what a mutant has prevented. Adds the killed mutants to `killed`
 * and removes the tests that ran from the candidates.
 */
async function runPart(meetings: readonly Meeting[], killed: Set<string>, files: string): Promise<void> {
  let open = [...meetings];
  while (open.length > 0) {
    const outcomes = await runTests(open, files);
    const before = open.length;
    for (const { mutant, file, name, result } of outcomes) {
      if (result === 'killed') {
        killed.add(mutant);
        console.log(`killed: ${mutant} by ${path.basename(file)}: ${name}`);
      }
    }
    const ends = new Map(outcomes.map((one) => [`${one.mutant} ${one.file} ${one.name}`, one.result]));
    const keyOf = ({ candidate, test }: Meeting): string =>
      `${candidate.mutant.id} ${test.file} ${test.name}`;
    for (const meeting of open) {
      const result = ends.get(keyOf(meeting));
      if (result === undefined) continue;
      const { candidate, test } = meeting;
      candidate.left = candidate.left.filter((one) => one !== test);
      // A mutant that hangs the process, or breaks what later tests need even when it is alone, is killed.
      const isAlone = new Set(open.map((one) => one.candidate)).size === 1;
      if (result === 'started' || (result === 'unsure' && isAlone)) {
        killed.add(candidate.mutant.id);
        console.log(
          `killed: ${candidate.mutant.id} hangs or spoils ${path.basename(test.file)}: ${test.name}`,
        );
      }
      if (result === 'unsure' && !isAlone) await runPart([meeting], killed, files);
    }
    open = open.filter((meeting) => !ends.has(keyOf(meeting)) && !killed.has(meeting.candidate.mutant.id));
    // Tests that were not even started: they are skipped, or their file does not load.
    if (open.length === before) return;
  }
}

async function runTests(meetings: readonly Meeting[], files: string): Promise<TestOutcome[]> {
  const plan: Plan = {};
  for (const { candidate, test } of meetings) {
    const tests = (plan[test.file] ??= {});
    (tests[test.name] ??= []).push(candidate.mutant.id);
  }
  const [planFile, outcomesFile] = [`${files}-plan.json`, `${files}-outcomes.jsonl`];
  writeFileSync(planFile, JSON.stringify(plan));
  rmSync(outcomesFile, { force: true });
  await runJest({
    files: Object.keys(plan),
    environment: { MUTANT_PLAN: planFile, MUTANT_OUTCOMES: outcomesFile },
    milliseconds:
      STARTING_MILLISECONDS + 6 * meetings.reduce((all, { test }) => all + 500 + test.milliseconds, 0),
    output: `${files}-result.json`,
    arguments: ['--runInBand'],
  });
  if (!existsSync(outcomesFile)) return [];
  return readFileSync(outcomesFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TestOutcome); // Written by environment.ts.
}
