import type { JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** What jest replaces for each file. */
const ORIGINAL = { console, exit: process.exit.bind(process) };

/**
 * The names of the symbols under which jest keeps something global for a file. The state of the tests has another symbol in each
 * file, and would keep all modules of the file in memory.
 */
const OF_JEST = new Set<string | undefined>(['EVENT_HANDLERS', 'JEST_STATE_SYMBOL']);

/**
 * The global objects of the worker itself, for all its test files. Jest's own environment creates a realm for each file, into which
 * every module must be loaded again; see runtime.js.
 */
export default class WorkerEnvironment implements JestEnvironment {
  readonly global = globalThis as unknown as JestEnvironment['global']; // The type describes the globals of a realm of its own.
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;

  constructor({ projectConfig }: JestEnvironmentConfig) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  /** Returns null: the runtime compiles without a context. */
  getVmContext(): null {
    return null;
  }

  setup(): Promise<void> {
    return Promise.resolve();
  }

  /** Removes what jest installs for a file and would find again in the next one. */
  teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
    globalThis.console = ORIGINAL.console;
    process.exit = ORIGINAL.exit;
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (OF_JEST.has(symbol.description)) Reflect.deleteProperty(globalThis, symbol);
    return Promise.resolve();
  }
}
