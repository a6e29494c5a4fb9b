import type { Logger } from 'pino';
import { reportStartFailure } from './startup-error';

type Step = () => Promise<void>;

/** Stops what has been started, in reverse order. */
export interface Lifecycle {
  /** Adds a step of the shutdown. */
  onStop: (step: Step) => void;
  /** False after the first signal. */
  isRunning: () => boolean;
  /** Stops everything and ends the process with `code`, within the shutdown delay and ten seconds. The first call decides the code. */
  stop: (code: number) => Promise<void>;
  /** Reports why the start failed and ends the process. Does nothing if the start failed because of a shutdown. */
  failStart: (error: unknown) => void;
}

/** Longer than the time limits of all steps together, except the shutdown delay. */
const GIVE_UP_MS = 9_700;

const FLUSH_MS = 500;

/** Waits until the log is written, or its reader has not taken it in time. */
function flush(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, FLUSH_MS);
    log.flush(() => resolve());
  });
}

/**
 * Creates the shutdown of the process. A worker logs nothing about it and ignores SIGINT, which a terminal sends to the
 * main process as well. SIGTERM and SIGINT stop it with code 0, uncaught errors with code 1. Further signals are
 * ignored, because a terminal and npm may both forward Ctrl-C.
 */
export function createLifecycle(
  log: Logger,
  { isWorker = false, shutdownDelayMs = 0 }: { isWorker?: boolean; shutdownDelayMs?: number } = {},
): Lifecycle {
  const steps: Step[] = [];
  let stopping: Promise<void> | undefined;

  const stopAll = async (code: number): Promise<void> => {
    setTimeout(() => process.exit(1), shutdownDelayMs + GIVE_UP_MS).unref();
    for (const step of steps.reverse()) {
      await step().catch((error: unknown) => log.error({ err: error }, 'shutdown step failed'));
    }
    if (!isWorker) log.info('stopped');
    await flush(log);
    process.exit(code);
  };
  const stop = (code: number) => (stopping ??= stopAll(code));

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isWorker && signal === 'SIGINT') return;
      if (stopping === undefined && !isWorker) log.info({ signal }, 'stopping');
      void stop(0);
    });
  }
  const crash = (error: unknown) => {
    log.fatal({ err: error }, 'uncaught error');
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
