import { Unavailable } from './errors';

const BUSY = 'The service is busy. Please try again.';

/** Runs `work` as soon as a slot is free. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>;

/** In milliseconds. Long tasks do not delay each other by more. */
const LONGEST_TURN_MS = 50;

/** How many tasks run at once, and how many wait. */
export interface SlotOptions {
  concurrency: number;
  waiting: number;
  /** The longest wait for a slot; without it, there is no limit. */
  waitMs?: number;
  /**
   * Whether tasks have to leave time for other requests: while this returns true, the next task starts when another ends,
   * or when the newest has run for `LONGEST_TURN_MS`. Called before each start.
   */
  isBusy?: () => boolean;
}

/**
 * Creates slots in which up to `concurrency` tasks run at once and up to `waiting` more wait, in order of arrival. The
 * returned function throws Unavailable immediately if the queue is full, and after `waitMs` if no slot is free by then.
 * It passes on errors of the work.
 */
export function createSlots({ concurrency, waiting, waitMs, isBusy }: SlotOptions): Slots {
  const queue: (() => void)[] = [];
  let running = 0;
  /** Set while the newest task may hold back the next one. */
  let turn: NodeJS.Timeout | null = null;

  const canStart = (): boolean => running < concurrency && (turn === null || isBusy?.() !== true);
  const start = (): void => {
    running += 1;
    if (turn !== null) clearTimeout(turn);
    if (isBusy !== undefined) turn = setTimeout(release, LONGEST_TURN_MS);
  };
  const release = (): void => {
    if (turn !== null) clearTimeout(turn);
    turn = null;
    while (queue.length > 0 && canStart()) {
      start();
      queue.shift()?.();
    }
  };
  const end = (): void => {
    running -= 1;
    release();
  };
  const wait = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const proceed = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = (): void => {
        queue.splice(queue.indexOf(proceed), 1);
        reject(new Unavailable(BUSY, 1, `no slot for work was free within ${waitMs} ms`));
      };
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
      queue.push(proceed);
    });

  return async (work) => {
    if (canStart()) start();
    else if (queue.length < waiting) await wait();
    else
      throw new Unavailable(
        BUSY,
        1,
        `all ${concurrency} slots for work are taken, and ${waiting} tasks wait`,
      );
    try {
      return await work();
    } finally {
      end();
    }
  };
}
