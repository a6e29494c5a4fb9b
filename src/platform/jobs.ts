import type { Logger } from 'pino';

/** A piece of work that repeats until it is stopped. */
export interface Job {
  /** Waits for a run that is under way; no other follows. */
  stop: () => Promise<void>;
}

/**
 * Runs `work` at once, and again `everyMs` after each end: runs never overlap. One that fails is logged and does not
 * keep the next from coming. Keeps no process alive.
 */
export function startJob(
  { name, everyMs, log }: { name: string; everyMs: number; log: Logger },
  work: () => Promise<unknown>,
): Job {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const run = async (): Promise<void> => {
    try {
      await work();
    } catch (error) {
      log.warn({ job: name, err: error }, 'a job failed');
    }
    if (isStopped) return;
    timer = setTimeout(() => {
      running = run();
    }, everyMs);
    timer.unref();
  };
  let running = run();
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}
