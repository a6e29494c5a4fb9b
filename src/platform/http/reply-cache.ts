import { setImmediate as endOfTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { ReadyReply } from './ready-reply';

/** What a family of replies is made from, and what tells whether the kept ones still hold. */
export interface ReplySource<Ctx> {
  /** Changes with every committed change any of the replies could show. Asked before every use. */
  revision(ctx: Ctx): Promise<string>;
  /** When time alone changes what the replies show; null when it never does. Asked once for each revision. */
  validUntil(ctx: Ctx): Promise<Date | null>;
  /** How much memory one application may spend on keeping the replies. */
  maxBytes: number;
}

/** Replies kept as bytes, by key. */
export interface ReplyCache<Ctx> {
  /** The kept reply while nothing behind it has changed, else what `produce` makes. @throws what `produce` throws */
  reply(ctx: Ctx, key: string, produce: () => Promise<ReadyReply>): Promise<ReadyReply>;
}

/** What was made while one revision stood, and until time itself would have changed it. */
interface Generation {
  revision: string;
  validUntil: Date | null;
  kept: LRUCache<string, ReadyReply>;
  /** Not kept yet, so that no eviction takes a reply from those who wait for it. */
  pending: Map<string, Promise<ReadyReply>>;
}

/**
 * A cache that cannot be stale: before every use it reads the source's revision, in a query that began after the
 * request did, so what any instance has committed is seen by the next request to every instance. Requests for the same
 * reply wait for one making of it. The least recently used go first when memory is spent; failures are not kept.
 */
export function createReplyCache<Ctx extends { now: () => Date }>(source: ReplySource<Ctx>): ReplyCache<Ctx> {
  let current: Generation | null = null;

  // Runs never overlap, so a revision never comes after a later one; and one that fails leaves `current` as it was.
  const generationNow = shareRuns(async (ctx: Ctx): Promise<Generation> => {
    const revision = await source.revision(ctx);
    if (current?.revision === revision && isValid(current, ctx.now())) return current;
    const validUntil = await source.validUntil(ctx);
    const kept = new LRUCache({ maxSize: source.maxBytes, sizeCalculation: calculateSize });
    current = { revision, validUntil, kept, pending: new Map() };
    return current;
  });

  return {
    async reply(ctx, key, produce) {
      const { kept, pending: making } = await generationNow(ctx);
      const found = kept.get(key) ?? making.get(key);
      if (found !== undefined) return found;
      const reply = produce();
      making.set(key, reply);
      try {
        kept.set(key, await reply);
      } finally {
        making.delete(key);
      }
      return reply;
    },
  };
}

/** One cache for each source, for the application that asks. */
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

/** Not less than it takes, its compressed form included should somebody ask for that. */
function calculateSize({ body, headers }: ReadyReply, key: string): number {
  return 2 * (body.length + key.length + JSON.stringify(headers).length) + 500;
}

/**
 * Lets callers share one run of `ask`, but only one that begins after they came: while a run is under way, newcomers
 * wait for the next. An answer is therefore never older than the question. A run waits for the requests that have arrived
 * with the first one, so that they share it.
 */
function shareRuns<A, T>(ask: (argument: A) => Promise<T>): (argument: A) => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return (argument) => {
    next ??= Promise.allSettled([running, endOfTurn()]).then(() => {
      next = null;
      const run = ask(argument);
      running = run;
      return run;
    });
    return next;
  };
}
