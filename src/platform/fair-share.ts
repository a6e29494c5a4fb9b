import { LRUCache } from 'lru-cache';
import { Unavailable } from './errors';

/**
 * Shares the processor between callers. A caller who has used little lately starts at once. While others use the program too,
 * the work of the rest runs one at a time, that of the caller with the least use first, and leaves others as much time as it takes.
 */
export interface FairShare {
  /**
   * Begins work when it is the caller's turn.
   * @returns a function that ends it, to be called once
   * @throws Unavailable if too much work of the caller waits
   */
  begin: (caller: string) => Promise<() => void>;
  /** Returns whether the caller has used so much that its work waits. */
  isExhausted: (caller: string) => boolean;
  /** Notes that the work of a caller costs more, in points of about a millisecond of the processor. */
  spend: (caller: string, points: number) => void;
}

export interface FairShareOptions {
  /** Returns whether work waits for the processor. */
  isBusy: () => boolean;
  /** In milliseconds. Defaults to a clock that never goes back. */
  now?: () => number;
}

/** What a caller may use in a second, and at once, before it has to wait for turns. */
const POINTS_PER_SECOND = 300;
/** More is forgotten. */
const MOST_POINTS = 3_000;
/** The tasks that a caller who has used little runs at once. */
const MOST_AT_ONCE = 8;
/** The tasks of all others, with those that wait for locks and other services. */
const MOST_RUNNING = 128;
/** The tasks of a caller that wait. */
const MOST_WAITING = 256;
const CALLERS = 10_000;

/** In milliseconds. */
const TIMES = {
  /** After it, a task that still runs does not hold back the next one: it may wait for another service. */
  longestTurn: 250,
  /** The same while the processor is not busy. */
  idleTurn: 20,
  /** For how long a task is followed by time for others, at most. */
  longestPause: 1_000,
  /** How long ago others must have begun anything for a caller to be alone. */
  alone: 1_000,
  check: 10,
};

interface Caller {
  name: string;
  points: number;
  /** The time of `points`. */
  at: number;
  running: number;
  waiting: (() => void)[];
}

export function createFairShare({ isBusy, now = () => performance.now() }: FairShareOptions): FairShare {
  const callers = new LRUCache<string, Caller>({ max: CALLERS });
  /** Those with tasks that wait. */
  const waiting = new Set<Caller>();
  let light = 0;
  let heavy = 0;
  let startedAt = -Infinity;
  let pausedUntil = -Infinity;
  let latest: Caller | null = null;
  let othersAt = -Infinity;
  let timer: NodeJS.Timeout | null = null;

  const find = (name: string): Caller => {
    const time = now();
    const caller = callers.get(name) ?? { name, points: 0, at: time, running: 0, waiting: [] };
    callers.set(name, caller);
    const drained = ((time - caller.at) / 1_000) * POINTS_PER_SECOND;
    caller.points = Math.max(0, caller.points - drained);
    caller.at = time;
    return caller;
  };
  const spend = (name: string, points: number): void => {
    const caller = find(name);
    caller.points = Math.min(MOST_POINTS, caller.points + points);
  };
  const canStart = (): boolean => {
    const time = now();
    if (heavy >= MOST_RUNNING) return false;
    if (time - othersAt > TIMES.alone) return true;
    const busy = isBusy();
    if (heavy > 0 && time - startedAt < (busy ? TIMES.longestTurn : TIMES.idleTurn)) return false;
    return !busy || light === 0 || time >= pausedUntil;
  };
  const start = (): void => {
    heavy += 1;
    startedAt = now();
  };
  const proceed = (): void => {
    while (waiting.size > 0 && canStart()) {
      const [next] = [...waiting].sort((a, b) => a.points - b.points);
      if (next?.waiting.length === 1) waiting.delete(next);
      next?.waiting.shift()?.();
    }
    if (waiting.size === 0 && timer !== null) {
      clearInterval(timer);
      timer = null;
    } else if (waiting.size > 0) timer ??= setInterval(proceed, TIMES.check);
  };
  const wait = async (caller: Caller): Promise<void> => {
    if (caller.waiting.length >= MOST_WAITING)
      throw new Unavailable(
        'The service is busy. Please try again.',
        1,
        `${MOST_WAITING} requests of ${caller.name} wait`,
      );
    const turn = new Promise<void>((resolve) => {
      caller.waiting.push(() => {
        start();
        resolve();
      });
    });
    waiting.add(caller);
    proceed();
    await turn;
  };
  const endHeavy = (started: number): void => {
    heavy -= 1;
    const time = now();
    pausedUntil = Math.max(pausedUntil, time + Math.min(time - started, TIMES.longestPause));
  };

  return {
    begin: async (name) => {
      const caller = find(name);
      if (latest !== null && latest !== caller) othersAt = now();
      latest = caller;
      const isLight = caller.points < POINTS_PER_SECOND && caller.running < MOST_AT_ONCE;
      caller.running += 1;
      caller.points += 1;
      if (isLight) light += 1;
      else
        try {
          await wait(caller);
        } catch (error) {
          caller.running -= 1;
          throw error;
        }
      const started = now();
      return () => {
        caller.running -= 1;
        if (isLight) light -= 1;
        else endHeavy(started);
        proceed();
      };
    },
    isExhausted: (name) => find(name).points >= POINTS_PER_SECOND,
    spend,
  };
}
