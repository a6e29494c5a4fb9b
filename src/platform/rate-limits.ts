import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
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
   * Counts an attempt against all keys, or against none. Concurrent attempts never exceed a limit. Attempts that are refused
   * again and again only read. Do not call it inside a transaction: it uses another connection.
   * @returns a function that takes back the attempt
   * @throws TooManyAttempts
   */
  take: (keys: readonly LimitedKey[]) => Promise<() => Promise<void>>;
  /**
   * Spends part of a budget, whose limit counts costs. Small sums are counted in this process; only larger ones use a
   * connection and are shared by all instances. A budget may be exceeded by a hundredth for each process.
   * @returns a function that takes the cost back
   * @throws TooManyAttempts once the budget is spent
   */
  spend: (key: LimitedKey, cost: number) => Promise<() => Promise<void>>;
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
  const refused = createRefused(scale, limiterOf);
  return {
    take: async (keys) => {
      if (scale === 0) return () => Promise.resolve();
      for (const one of keys) await refused.check(one);
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
          if (!(error instanceof RateLimiterRes)) throw error;
          refused.note(one);
          throw buildRefusal(one.limit, scale, error);
        }
      }
      return giveBack;
    },
    spend: createSpending(scale, (limit) => limiterOf(limit)),
    clear: async ({ limit, key }) => {
      await limiterOf(limit).delete(hashKey(key));
    },
    remember: async ({ limit, key }) => {
      await limiterOf(limit).set(hashKey(key), 1, limit.seconds);
    },
    isRemembered: async ({ limit, key }) => (await limiterOf(limit).get(hashKey(key))) !== null,
  };
}

/** Keys that this process has refused last. */
interface RefusedKeys {
  note: (key: LimitedKey) => void;
  /** @throws TooManyAttempts if the key was refused, and would be refused again */
  check: (key: LimitedKey) => Promise<void>;
}

const REFUSED = 10_000;

/**
 * Counting an attempt writes and locks a row. For a key that was refused, a read finds out first whether its limit still applies, so
 * that a flood of attempts neither writes nor waits for locks. Other processes may have cleared the key, so it is not decided here.
 */
function createRefused(scale: number, limiterOf: (limit: Limit) => RateLimiterAbstract): RefusedKeys {
  const names = new LRUCache<string, true>({ max: REFUSED });
  const nameOf = ({ limit, key }: LimitedKey): string => `${limit.name} ${hashKey(key)}`;
  return {
    note: (key) => void names.set(nameOf(key), true),
    check: async (one) => {
      const name = nameOf(one);
      if (!names.has(name)) return;
      const counted = await limiterOf(one.limit).get(hashKey(one.key));
      if (counted !== null && counted.remainingPoints <= 0) throw buildRefusal(one.limit, scale, counted);
      names.delete(name);
    },
  };
}

/** What one key has spent in this process. */
interface Spending {
  endsAt: number;
  spent: number;
  /** The refusal while the budget is spent. */
  refusal: RateLimiterRes | null;
}

/** Parts in which a budget is taken from the database. */
const PARTS = 100;
const SPENDERS = 10_000;

function createSpending(
  scale: number,
  limiterOf: (limit: Limit) => RateLimiterAbstract,
): RateLimits['spend'] {
  const spendings = new LRUCache<string, Spending>({ max: SPENDERS });
  const open = ({ limit, key }: LimitedKey, now: number): Spending => {
    const name = `${limit.name} ${key}`;
    const known = spendings.get(name);
    if (known !== undefined && known.endsAt > now) return known;
    const spending = { endsAt: now + limit.seconds * 1000, spent: 0, refusal: null };
    spendings.set(name, spending);
    return spending;
  };
  return async ({ limit, key }, cost) => {
    if (scale === 0) return () => Promise.resolve();
    const now = Date.now();
    const spending = open({ limit, key }, now);
    if (spending.refusal !== null) throw buildSpentRefusal(limit, scale, spending, now);
    const part = Math.max(1, Math.floor(scaleAttempts(limit.attempts, scale) / PARTS));
    /** Returns the points by which the change passes whole parts. */
    const count = (change: number): number => {
      const before = Math.floor(spending.spent / part);
      spending.spent += change;
      return part * (Math.floor(spending.spent / part) - before);
    };
    const taken = count(cost);
    try {
      if (taken > 0) await limiterOf(limit).consume(hashKey(key), taken);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      spending.refusal = error;
      spending.endsAt = Date.now() + error.msBeforeNext;
      throw buildRefusal(limit, scale, error);
    }
    return async () => {
      const returned = -count(-cost);
      if (returned > 0) await limiterOf(limit).reward(hashKey(key), returned);
    };
  };
}

function buildSpentRefusal(limit: Limit, scale: number, { endsAt }: Spending, now: number): Error {
  return buildRefusal(limit, scale, new RateLimiterRes(0, endsAt - now));
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
    `DELETE FROM rate_limits WHERE key = ANY(ARRAY(
       SELECT key FROM rate_limits WHERE expire < ? ORDER BY expire LIMIT ? FOR UPDATE SKIP LOCKED))`,
    [now.getTime(), limit],
  );
  return rowCount;
}
