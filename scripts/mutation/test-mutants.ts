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
  const run: Run = { ...limits, end, ledger, unrepeatable: new Set(), killed: new Set() };
  for (const size of [...ROUNDS, 'unrepeatable' as const]) {
    await runRound(alive, size, run);
    alive = alive.filter(({ mutant }) => !run.killed.has(mutant.id));
    console.log(`${new Date().toISOString()} ${alive.length} of ${mutants.length} mutants are alive`);
  }
  const resultOf = (mutant: Mutant): Outcome['result'] => {
    if (ledger.has(mutant)) return 'killed';
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

/** One run of all rounds. */
interface Run extends Limits {
  /** The time of the clock after which no tests are started. */
  end: number;
  ledger: Ledger;
  /** The tests that failed without a mutant after they had failed with one: other mutants would spoil their result. */
  unrepeatable: Set<string>;
  /** Ids of mutants. */
  killed: Set<string>;
}

type Meeting = { candidate: Candidate; test: ReachingTest };

const nameOf = ({ file, name }: Pick<ReachingTest, 'file' | 'name'>): string => `${file} ${name}`;

/** Runs the next tests of every mutant; those that cannot be repeated come last, each with one mutant in a process of its own. */
async function runRound(
  candidates: readonly Candidate[],
  size: number | 'unrepeatable',
  run: Run,
): Promise<void> {
  const meetings = candidates.flatMap((candidate): Meeting[] => {
    const tests = candidate.left.filter(
      (test) => run.unrepeatable.has(nameOf(test)) === (size === 'unrepeatable'),
    );
    return tests.slice(0, size === 'unrepeatable' ? undefined : size).map((test) => ({ candidate, test }));
  });
  const parts = size === 'unrepeatable' ? meetings.map((one) => [one]) : splitByFiles(meetings);
  const runLane = async (_: unknown, lane: number): Promise<void> => {
    while (parts.length > 0 && Date.now() < run.end) {
      const open = parts.shift()?.filter(({ candidate }) => !run.killed.has(candidate.mutant.id)) ?? [];
      if (open.length > 0) await runPart(open, run, path.join(run.folder, `lane-${lane}`));
      for (const { candidate } of open) {
        if (run.killed.has(candidate.mutant.id)) run.ledger.add(candidate.mutant);
      }
    }
  };
  await Promise.all(Array.from({ length: run.lanes }, runLane));
}

/** Splits into parts of some files each, those with the most work first, so that the lanes end together. */
function splitByFiles(meetings: readonly Meeting[]): Meeting[][] {
  const byFile = new Map<string, Meeting[]>();
  for (const meeting of meetings) {
    byFile.set(meeting.test.file, [...(byFile.get(meeting.test.file) ?? []), meeting]);
  }
  const files = [...byFile.values()].toSorted((one, other) => other.length - one.length);
  const parts: Meeting[][] = [];
  while (files.length > 0) parts.push(files.splice(0, FILES_OF_PROCESS).flat());
  return parts;
}

/**
 * Runs tests with mutants in one process, and again what a mutant has prevented. Notes the killed mutants, and removes the tests that
 * ran from the candidates.
 */
async function runPart(meetings: readonly Meeting[], run: Run, files: string): Promise<void> {
  let open = [...meetings];
  while (open.length > 0) {
    const outcomes = await runTests(open, files);
    const before = open.length;
    const ends = new Map(outcomes.map((one) => [`${one.mutant} ${nameOf(one)}`, one.result]));
    const endOf = ({ candidate, test }: Meeting): TestOutcome['result'] | undefined =>
      ends.get(`${candidate.mutant.id} ${nameOf(test)}`);
    // A mutant that hangs the process, or breaks what the test needs even when it is alone, is killed.
    const isAlone = new Set(open.map(({ candidate }) => candidate)).size === 1;
    for (const meeting of open) {
      const result = endOf(meeting);
      const { candidate, test } = meeting;
      if (result === undefined) continue;
      if (result === 'unsure' && !isAlone) {
        run.unrepeatable.add(nameOf(test));
        continue;
      }
      candidate.left = candidate.left.filter((one) => one !== test);
      if (result !== 'passed') noteKilled(meeting, result, run);
    }
    open = open.filter(
      (meeting) =>
        endOf(meeting) === undefined &&
        !run.unrepeatable.has(nameOf(meeting.test)) &&
        !run.killed.has(meeting.candidate.mutant.id),
    );
    // Tests that were not even started: they are skipped, or their file does not load.
    if (open.length === before) return;
  }
}

function noteKilled({ candidate, test }: Meeting, result: TestOutcome['result'], { killed }: Run): void {
  killed.add(candidate.mutant.id);
  const how = result === 'killed' ? 'by' : 'hangs or spoils';
  console.log(`killed: ${candidate.mutant.id} ${how} ${path.basename(test.file)}: ${test.name}`);
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
