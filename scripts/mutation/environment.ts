import { appendFileSync, readFileSync } from 'node:fs';
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment';
import type { Circus } from '@jest/types';
import WorkerEnvironment from '../../test/setup/environment';
import { startRecording, type Recording } from './recording';
import { activate } from './switch';

/** The mutants to run each test with: by absolute path of the test file, then by full name of the test. */
export type Plan = Record<string, Record<string, string[]>>;

/** How a test ended with a mutant. */
export interface TestOutcome {
  mutant: string;
  file: string;
  name: string;
  /**
   * `killed`: it failed, and passed right afterwards without the mutant. `unsure`: it failed then too, so the mutant
   * has left something behind or the test cannot be repeated; nothing else is run in this file.
   */
  result: 'started' | 'passed' | 'killed' | 'unsure';
}

/** A test that takes longer has failed. */
const MILLISECONDS_OF_TEST = 20_000;

/**
 * Runs the tests of a file once for each mutant that the plan names, and no others; without a plan, records what each test
 * reaches. The program is loaded once for all files of the process. Appends the outcomes to the file MUTANT_OUTCOMES.
 */
export default class MutationEnvironment extends WorkerEnvironment {
  readonly #file: string;
  readonly #recording: Recording | null;
  readonly #killed = new Set<string>();
  #isSpoiled = false;

  constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
    super(config);
    this.#file = context.testPath;
    this.#recording = startRecording(this.#file);
  }

  handleTestEvent(event: Circus.AsyncEvent | Circus.SyncEvent, state: Circus.State): void {
    this.#recording?.handle(event);
    const { MUTANT_PLAN: plan } = process.env;
    if (event.name !== 'run_start' || plan === undefined) return;
    // Written by mutate.ts.
    const tests = (JSON.parse(readFileSync(plan, 'utf8')) as Plan)[this.#file] ?? {};
    this.#multiply(state.rootDescribeBlock, [], tests);
  }

  #multiply(block: Circus.DescribeBlock, names: readonly string[], tests: Plan[string]): void {
    block.children = block.children.flatMap((child): (Circus.DescribeBlock | Circus.TestEntry)[] => {
      const path = [...names, child.name];
      if (child.type === 'describeBlock') {
        this.#multiply(child, path, tests);
        return [child];
      }
      const name = path.join(' ');
      return (tests[name] ?? []).map((mutant) => ({
        ...child,
        name: `${child.name} [${mutant}]`,
        errors: [],
        retryReasons: [],
        timeout: 120_000,
        unhandledRejectionErrorByPromise: new Map(),
        fn: () => this.#run(child.fn, { mutant, name }),
      }));
    });
  }

  async #run(
    test: Circus.TestEntry['fn'],
    { mutant, name }: { mutant: string; name: string },
  ): Promise<void> {
    if (this.#isSpoiled || this.#killed.has(mutant)) return;
    const report = (result: TestOutcome['result']): void => {
      const outcome: TestOutcome = { mutant, file: this.#file, name, result };
      appendFileSync(process.env.MUTANT_OUTCOMES ?? '', `${JSON.stringify(outcome)}\n`);
    };
    report('started');
    if (await this.#passes(test, mutant)) return report('passed');
    this.#isSpoiled = !(await this.#passes(test, null));
    this.#killed.add(mutant);
    report(this.#isSpoiled ? 'unsure' : 'killed');
  }

  async #passes(test: Circus.TestEntry['fn'], mutant: string | null): Promise<boolean> {
    activate(mutant);
    let timer: NodeJS.Timeout | undefined;
    try {
      await Promise.race([
        // Tests of this project take no `done`.
        Promise.resolve().then(() => (test as () => unknown)()),
        new Promise((_, reject) => {
          timer = setTimeout(() => reject(new Error('takes too long')), MILLISECONDS_OF_TEST);
        }),
      ]);
      return true;
    } catch {
      return false;
    } finally {
      clearTimeout(timer);
      activate(null);
    }
  }
}
