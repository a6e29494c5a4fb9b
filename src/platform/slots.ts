import { Unavailable } from './errors';

const BUSY = 'The service is busy. Please try again.';

/** Runs `work` as soon as a slot is free. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Creates slots in which up to `concurrency` tasks run at once and up to `waiting` more wait, in order of arrival.
 * The returned function throws Unavailable immediately if the queue is full, and after `waitMs` if no slot is free by then.
 * It passes on errors of the work.
 */
export function createSlots(options: { concurrency: number; waiting: number; waitMs?: number }): Slots {
  const { concurrency, waiting, waitMs } = options;
  const queue: (() => void)[] = [];
  const wait = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = (): void => {
        queue.splice(queue.indexOf(start), 1);
        reject(new Unavailable(BUSY, 1, `no slot for work was free within ${waitMs} ms`));
      };
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
      queue.push(start);
    });
  let running = 0;
  return async (work) => {
    if (running >= concurrency) {
      if (queue.length >= waiting) {
        throw new Unavailable(
          BUSY,
          1,
          `all ${concurrency} slots for work are taken, and ${waiting} tasks wait`,
        );
      }
      // The finished task passes on its slot, so `running` already counts it.
      await wait();
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
