import type { Logger } from 'pino';
import { measureJob } from './job-runs';

/** Work that repeats until it is stopped. */
export interface Job {
  /** Prevents further runs and waits for the current one. */
  stop: () => Promise<void>;
}

/**
 * Runs `work` immediately, and again `everyMs` milliseconds after each run ends, so runs never overlap. Failures are
 * logged and do not stop the job. The job does not keep the process alive.
 */
export function startJob(
  { name, everyMs, log }: { name: string; everyMs: number; log: Logger },
  work: () => Promise<unknown>,
): Job {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const run = async (): Promise<void> => {
    try {
      await measureJob(name, work);
    } catch (error) {
      log.warn({ job: name, err: error }, 'job failed');
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
