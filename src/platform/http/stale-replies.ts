import { LRUCache } from 'lru-cache';
import { isDatabaseUnavailable } from '../database/outage';
import type { ReadyReply } from './ready-reply';
import { createReplyCaches, type ReplyCache, type ReplySource } from './reply-cache';

interface StaleOptions {
  /** How long after its last confirmation a reply may be served. */
  maxAgeSeconds: number;
  /** Of the remembered replies. */
  maxBytes: number;
  /** Returns whether a reply may be served stale. */
  mayBeStale: (key: string) => boolean;
}

/** A reply that was valid at `confirmedAt`, in milliseconds since the Unix epoch. */
interface Remembered {
  reply: ReadyReply;
  confirmedAt: number;
}

/** After a failure of the database, stale replies do not wait for it during this time. */
const AWAY_MS = 1_000;

/**
 * Wraps a cache, so that replies which were valid before the database became unavailable are served while it is,
 * marked by `X-Stale` with their age in seconds. They are remembered beyond changes of the source, also while the cache
 * itself has dropped them.
 */
function serveStaleReplies<Ctx extends { now: () => Date }>(
  cache: ReplyCache<Ctx>,
  { maxAgeSeconds, maxBytes, mayBeStale }: StaleOptions,
): ReplyCache<Ctx> {
  const remembered = new LRUCache<string, Remembered>({
    maxSize: maxBytes,
    sizeCalculation: ({ reply }, key) => reply.body.length + key.length + 500,
  });
  let awayUntil = 0;

  const findStale = (key: string, now: number): ReadyReply | null => {
    const found = mayBeStale(key) ? remembered.get(key) : undefined;
    if (found === undefined) return null;
    const age = Math.max(0, Math.ceil((now - found.confirmedAt) / 1_000));
    return age > maxAgeSeconds ? null : markStale(found.reply, age);
  };

  return {
    async reply(ctx, key, ...rest) {
      const now = ctx.now().getTime();
      const early = now < awayUntil ? findStale(key, now) : null;
      if (early !== null) return early;
      try {
        const reply = await cache.reply(ctx, key, ...rest);
        if (mayBeStale(key)) remembered.set(key, { reply, confirmedAt: now });
        return reply;
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        awayUntil = now + AWAY_MS;
        const stale = findStale(key, now);
        if (stale === null) throw error;
        return stale;
      }
    },
  };
}

function markStale(reply: ReadyReply, age: number): ReadyReply {
  const marks = { 'X-Stale': String(age), Warning: '110 - "Response is Stale"', 'Cache-Control': 'no-store' };
  return { ...reply, headers: { ...reply.headers, ...marks } };
}

/** The maximum memory for replies that may be served stale. */
const STALE_BYTES = 16 * 1024 * 1024;

/**
 * Creates the caches of one application, like `createReplyCaches`.
 * @param staleSeconds how long replies may be served while the database is unavailable; 0 for never
 */
export function createCaches<Ctx extends { now: () => Date }>(
  staleSeconds: number,
  mayBeStale: (key: string) => boolean,
): (source: ReplySource<Ctx>) => ReplyCache<Ctx> {
  const cacheOf = createReplyCaches<Ctx>();
  if (staleSeconds === 0) return cacheOf;
  const options = { maxAgeSeconds: staleSeconds, maxBytes: STALE_BYTES, mayBeStale };
  const wrapped = new Map<ReplySource<Ctx>, ReplyCache<Ctx>>();
  return (source) => {
    const cache = wrapped.get(source) ?? serveStaleReplies(cacheOf(source), options);
    wrapped.set(source, cache);
    return cache;
  };
}
