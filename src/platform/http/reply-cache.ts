import { setImmediate as endOfTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { cacheReads } from '../metrics/metrics';
import { countLostConnections } from '../lost-connections';
import type { ReadyReply } from './ready-reply';

/** The source of a group of replies, which determines how long cached replies are valid. */
export interface ReplySource<Ctx> {
  /** Names the source in metrics. */
  name: string;
  /** Returns a value that changes with every committed change of the source. Called before every use. */
  revision(ctx: Ctx): Promise<string>;
  /** Returns when the replies change by time alone; null for never. Called once for each revision. */
  validUntil(ctx: Ctx, revision: string): Promise<Date | null>;
  /** The maximum memory for the cached replies of one application. */
  maxBytes: number;
}

/** The revision that a cached read has seen. */
export interface SeenRevision {
  readonly value: string;
  /** When what was read changes by time alone; null for never. */
  readonly validUntil: Date | null;
}

/** Cached replies as bytes, by key. */
export interface ReplyCache<Ctx> {
  /**
   * Returns the cached reply if it is valid, otherwise the result of `produce`.
   * @param produce receives the revision, see `RequestContext.revision`
   * @param admit throws for a caller who may not cause a production. Others who wait for the same reply do not get its error.
   * @throws any error of `produce`
   */
  reply(
    ctx: Ctx,
    key: string,
    produce: (revision: SeenRevision) => Promise<ReadyReply>,
    admit?: () => Promise<void>,
  ): Promise<ReadyReply>;
}

/** The replies of one revision, valid until `validUntil`. */
interface Generation extends SeenRevision {
  /** `countLostConnections` before the revision was read. */
  lost: number;
  kept: LRUCache<string, ReadyReply>;
  /** Replies in production. They are not in the cache yet, so they cannot be evicted. */
  pending: Map<string, Promise<ReadyReply>>;
}

/**
 * Creates a cache that is never stale. Before every use it reads the source's revision, in a query that begins after
 * the request, so every instance sees the commits of all instances. Concurrent requests for the same reply share one
 * production. The least recently used replies are evicted first; failures are not cached.
 */
export function createReplyCache<Ctx extends { now: () => Date }>(source: ReplySource<Ctx>): ReplyCache<Ctx> {
  let current: Generation | null = null;

  // Runs never overlap, so revisions arrive in order. A failed run does not change `current`.
  const getGeneration = shareRuns(async (ctx: Ctx): Promise<Generation> => {
    const lost = countLostConnections();
    const value = await source.revision(ctx);
    if (current?.value === value && current.lost === lost && isValid(current, ctx.now())) return current;
    const validUntil = await source.validUntil(ctx, value);
    const kept = new LRUCache({ maxSize: source.maxBytes, sizeCalculation: calculateSize });
    current = { value, lost, validUntil, kept, pending: new Map() };
    return current;
  });

  return {
    async reply(ctx, key, produce, admit) {
      const generation = await getGeneration(ctx);
      const { kept, pending } = generation;
      if (!kept.has(key) && !pending.has(key)) await admit?.();
      const found = kept.get(key) ?? pending.get(key);
      cacheReads.inc({ cache: source.name, result: found === undefined ? 'miss' : 'hit' });
      if (found !== undefined) return found;
      const reply = produce(generation);
      pending.set(key, reply);
      try {
        kept.set(key, await reply);
      } finally {
        pending.delete(key);
      }
      return reply;
    },
  };
}

/** Creates the caches of one application: the returned function returns one cache for each source. */
export function createReplyCaches<Ctx extends { now: () => Date }>(): (
  source: ReplySource<Ctx>,
) => ReplyCache<Ctx> {
  const caches = new Map<ReplySource<Ctx>, ReplyCache<Ctx>>();
  return (source) => {
    const cache = caches.get(source) ?? createReplyCache(source);
    caches.set(source, cache);
    return cache;
  };
}

function isValid({ validUntil }: Generation, now: Date): boolean {
  return validUntil === null || now < validUntil;
}

/** Calculates an upper bound of the memory of a reply, including its compressed form. */
function calculateSize({ body, headers }: ReadyReply, key: string): number {
  return 2 * (body.length + key.length + JSON.stringify(headers).length) + 500;
}

/**
 * Shares runs of `work` between callers. A call only joins a run that begins after it, so a result is never older than
 * its call: during a run, new calls wait for the next one. A run waits until the end of the event loop turn, so that
 * requests that arrive together share it.
 */
function shareRuns<A, T>(work: (argument: A) => Promise<T>): (argument: A) => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return (argument) => {
    next ??= Promise.allSettled([running, endOfTurn()]).then(() => {
      next = null;
      const run = work(argument);
      running = run;
      return run;
    });
    return next;
  };
}
