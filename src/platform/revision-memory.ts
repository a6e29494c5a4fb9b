import { LRUCache } from 'lru-cache';
import { keepWhileConnected } from './lost-connections';

/** A value, and the revision of what it was read from. */
interface Remembered<Value> {
  value: Value;
  revision: string;
  /** When the value changes by time alone; null for never. */
  validUntil: Date | null;
}

/**
 * What is kept in memory of what the database held at a revision. Revisions are random and never used twice, so a value is
 * right for its revision in any copy of the database. Transactions must not keep what they may still change or roll back.
 */
export interface RevisionMemory<Key, Value> {
  /** Returns the value of the key if it was kept for this revision, and is valid at `now` if that is given. */
  find(key: Key, revision: string, now?: Date): Value | undefined;
  /** Returns the last value of the key, for statements that read its revision themselves. */
  findLast(key: Key, now: Date): Remembered<Value> | undefined;
  /** Keeps a value instead of that of another revision. `validUntil` defaults to null. */
  keepFor(revision: string, key: Key, value: Value, validUntil?: Date | null): void;
  forget(key: Key): void;
}

/** The maximum number of values, or the maximum of the sum of their sizes. */
type Bounds<Value> = { max: number } | { max?: number; maxSize: number; sizeOf: (value: Value) => number };

/** Creates an empty memory. It drops the least recently used values first, and all when a connection is lost. */
export function createRevisionMemory<Value, Key extends string | number = string>(
  bounds: Bounds<Value>,
): RevisionMemory<Key, Value> {
  const kept = keepWhileConnected(() => new LRUCache<Key, Remembered<Value>>(toOptions(bounds)));
  const findLast = (key: Key, now?: Date) => {
    const found = kept().get(key);
    const isOver = now !== undefined && found?.validUntil != null && now >= found.validUntil;
    return isOver ? undefined : found;
  };
  return {
    findLast,
    find(key, revision, now) {
      const found = findLast(key, now);
      return found?.revision === revision ? found.value : undefined;
    },
    keepFor(revision, key, value, validUntil = null) {
      kept().set(key, { value, revision, validUntil });
    },
    forget(key) {
      kept().delete(key);
    },
  };
}

function toOptions<Value>(bounds: Bounds<Value>) {
  if (!('maxSize' in bounds)) return bounds;
  const { sizeOf, ...limits } = bounds;
  return { ...limits, sizeCalculation: ({ value }: Remembered<Value>) => sizeOf(value) };
}
