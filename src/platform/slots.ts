import { Unavailable } from './errors';

/** Runs `work` when a slot is free. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Lets `concurrency` pieces of work run at once and `waiting` more stand in line, first come, first served.
 * The returned function throws Unavailable at once when the line is full; whatever the work throws passes through.
 */
export function createSlots({ concurrency, waiting }: { concurrency: number; waiting: number }): Slots {
  const line: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= concurrency) {
      if (line.length >= waiting) throw new Unavailable('The service is busy. Please try again.');
      // Whoever finishes hands the slot over, so `running` already counts it.
      await new Promise<void>((resolve) => line.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
