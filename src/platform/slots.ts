import { Unavailable } from './errors';

/** Runs `work` as soon as a slot is free. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Creates slots in which up to `concurrency` tasks run at once and up to `waiting` more wait, in order of arrival.
 * The returned function throws Unavailable immediately if the queue is full, and passes on errors of the work.
 */
export function createSlots({ concurrency, waiting }: { concurrency: number; waiting: number }): Slots {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= concurrency) {
      if (queue.length >= waiting) throw new Unavailable('The service is busy. Please try again.');
      // The finished task passes on its slot, so `running` already counts it.
      await new Promise<void>((resolve) => queue.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
