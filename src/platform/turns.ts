import { createSlots, type SlotOptions, type Slots } from './slots';

/** Runs `work` as soon as no other work of the same key is running. */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Creates turns: work of one key runs one at a time, in order of arrival, and work of different keys side by side. Wait for a turn
 * before anything that is scarce, such as a slot or a connection. Never take a turn of the same key inside it. The
 * returned function throws Unavailable as slots do.
 */
export function createTurns(options: Pick<SlotOptions, 'waiting' | 'waitMs'>): Turns {
  const lines = new Map<string, { run: Slots; users: number }>();
  return async (key, work) => {
    const line = lines.get(key) ?? { run: createSlots({ concurrency: 1, ...options }), users: 0 };
    lines.set(key, line);
    line.users += 1;
    try {
      return await line.run(work);
    } finally {
      line.users -= 1;
      if (line.users === 0) lines.delete(key);
    }
  };
}
