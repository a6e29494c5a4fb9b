import { createHash } from 'node:crypto';
import { RateLimiterPostgres, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Db } from './database/knex';
import { TooManyAttempts } from './errors';

/** How many attempts each key has within a time. */
export interface Limit {
  /** Distinguishes the keys of this limit from those of others. */
  name: string;
  attempts: number;
  seconds: number;
}

/** A limit and what it applies to: an account, an order, a network address. Only a hash of the key is stored. */
export interface LimitedKey {
  limit: Limit;
  key: string;
}

/** Limits of attempts, shared by all instances through the database. */
export interface RateLimits {
  /**
   * Counts an attempt against all keys, or against none. Concurrent attempts never exceed a limit. Do not call it
   * inside a transaction: it uses another connection.
   * @returns a function that takes back the attempt
   * @throws TooManyAttempts
   */
  take: (keys: readonly LimitedKey[]) => Promise<() => Promise<void>>;
  /** Forgets the attempts of a key. */
  clear: (key: LimitedKey) => Promise<void>;
  /** Remembers a key for the time of its limit, from now on. */
  remember: (key: LimitedKey) => Promise<void>;
  /** Returns whether the key is remembered. */
  isRemembered: (key: LimitedKey) => Promise<boolean>;
}

const TABLE = 'rate_limits';

/** Creates the limits. `scale` multiplies all of them; 0 switches them off. */
export function createRateLimits(db: Db, scale: number): RateLimits {
  const limiters = new Map<string, RateLimiterAbstract>();
  const limiterOf = (limit: Limit): RateLimiterAbstract => {
    const limiter = limiters.get(limit.name) ?? createLimiter(db, limit, scale);
    limiters.set(limit.name, limiter);
    return limiter;
  };
  return {
    take: async (keys) => {
      if (scale === 0) return () => Promise.resolve();
      const taken: LimitedKey[] = [];
      const giveBack = async (): Promise<void> => {
        for (const { limit, key } of taken.splice(0)) await limiterOf(limit).reward(hashKey(key));
      };
      for (const one of keys) {
        try {
          await limiterOf(one.limit).consume(hashKey(one.key));
          taken.push(one);
        } catch (error) {
          await giveBack();
          throw error instanceof RateLimiterRes ? buildRefusal(one.limit, scale, error) : error;
        }
      }
      return giveBack;
    },
    clear: async ({ limit, key }) => {
      await limiterOf(limit).delete(hashKey(key));
    },
    remember: async ({ limit, key }) => {
      await limiterOf(limit).set(hashKey(key), 1, limit.seconds);
    },
    isRemembered: async ({ limit, key }) => (await limiterOf(limit).get(hashKey(key))) !== null,
  };
}

function createLimiter(db: Db, { name, attempts, seconds }: Limit, scale: number): RateLimiterAbstract {
  return new RateLimiterPostgres({
    // The statements of the library run like all others: with the timeouts of the pool, and without names, for poolers.
    storeClient: { query: (statement: Statement) => runStatement(db, statement) },
    storeType: 'client',
    tableName: TABLE,
    tableCreated: true,
    // A job deletes expired rows (deleteExpiredLimits).
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points: scaleAttempts(attempts, scale),
    duration: seconds,
  });
}

interface Statement {
  text: string;
  values: (string | number | null)[];
}

async function runStatement(db: Db, { text, values }: Statement): Promise<{ rows: unknown[] }> {
  const named = Object.fromEntries(values.map((value, index) => [`v${index + 1}`, value]));
  return db.raw<{ rows: unknown[] }>(text.replace(/\$(\d+)/g, ':v$1'), named);
}

function scaleAttempts(attempts: number, scale: number): number {
  return Math.max(1, Math.round(attempts * scale));
}

function buildRefusal({ attempts, seconds }: Limit, scale: number, { msBeforeNext }: RateLimiterRes): Error {
  const limit = { attempts: scaleAttempts(attempts, scale), seconds };
  return new TooManyAttempts(Math.max(1, Math.ceil(msBeforeNext / 1000)), limit);
}

function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Deletes up to `limit` expired rows. @returns how many */
export async function deleteExpiredLimits(db: Db, now: Date, limit: number): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `DELETE FROM rate_limits WHERE key IN (
       SELECT key FROM rate_limits WHERE expire < ? ORDER BY expire LIMIT ? FOR UPDATE SKIP LOCKED)`,
    [now.getTime(), limit],
  );
  return rowCount;
}
