import type { Logger } from 'pino';
import { reportStartFailure } from './startup-error';

type Step = () => Promise<void>;

/** What has been started, to be stopped in the opposite order. */
export interface Lifecycle {
  /** Adds the undoing of what was just started. */
  onStop: (step: Step) => void;
  /** False from the first signal on. */
  isRunning: () => boolean;
  /** Stops everything and ends the process with `code`, within ten seconds. The first call decides the code. */
  stop: (code: number) => Promise<void>;
  /** Reports why the start failed and ends the process; nothing when it failed because it was stopped meanwhile. */
  failStart: (error: unknown) => void;
}

/** Longer than all steps together may take by their own deadlines. */
const GIVE_UP_MS = 9_700;

/**
 * Owns the process's end: SIGTERM and SIGINT stop it with code 0, an error nobody caught with 1. A second signal
 * changes nothing, as a terminal and npm may both pass Ctrl-C on.
 */
export function createLifecycle(log: Logger): Lifecycle {
  const steps: Step[] = [];
  let stopping: Promise<void> | undefined;

  const stopAll = async (code: number): Promise<void> => {
    setTimeout(() => process.exit(1), GIVE_UP_MS).unref();
    for (const step of steps.reverse()) {
      await step().catch((error: unknown) => log.error({ err: error }, 'a step of the shut-down failed'));
    }
    log.info('stopped');
    process.exit(code);
  };
  const stop = (code: number) => (stopping ??= stopAll(code));

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping === undefined) log.info({ signal }, 'stopping');
      void stop(0);
    });
  }
  const crash = (error: unknown) => {
    log.fatal({ err: error }, 'an error nobody caught');
    void stop(1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  return {
    onStop: (step) => steps.push(step),
    isRunning: () => stopping === undefined,
    stop,
    failStart: (error) => {
      if (stopping === undefined) reportStartFailure(error);
    },
  };
}
