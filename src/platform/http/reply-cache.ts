import type { Ctx } from '../../context';
import type { ReadyReply } from './ready-reply';

/** What tells whether kept replies still hold. */
export interface ReplySource {
  /** A number that grows with every committed change any of the replies could show. Asked at every request. */
  revision(ctx: Ctx): Promise<string>;
  /** When time alone changes what the replies show; null when it never does. Asked once for each revision. */
  validUntil(ctx: Ctx): Promise<Date | null>;
}

/** Replies kept as bytes. `reply` gives the kept one while nothing behind it has changed, else what `produce` makes. */
export interface ReplyCache {
  reply(ctx: Ctx, key: string, produce: () => Promise<ReadyReply>): Promise<ReadyReply>;
}

interface Generation {
  revision: string;
  validUntil: Promise<Date | null>;
  /** Least recently used first. */
  kept: Map<string, Kept>;
  bytes: number;
}

interface Kept {
  reply: Promise<ReadyReply>;
  /** 0 while it is being made. */
  bytes: number;
}

/**
 * A cache that cannot be stale: before every use it reads the source's revision, in a query that began after the
 * request did, so what any instance has committed is seen by the next request to every instance. At most `maxBytes`
 * of bodies are kept; the least recently used go first. Failures are not kept.
 */
export function replyCache(source: ReplySource, maxBytes: number): ReplyCache {
  const readRevision = shared((ctx: Ctx) => source.revision(ctx));
  let current: Generation | null = null;

  const generationOf = async (ctx: Ctx): Promise<Generation> => {
    const revision = await readRevision(ctx);
    const now = ctx.now();
    if (current?.revision === revision) {
      const until = await current.validUntil;
      if (until === null || now < until) return current;
    }
    // A slower query may bring an older revision than the one at hand; what is made for it is not kept.
    const generation = { revision, validUntil: source.validUntil(ctx), kept: new Map(), bytes: 0 };
    if (current === null || BigInt(revision) >= BigInt(current.revision)) current = generation;
    await generation.validUntil;
    return generation;
  };

  return {
    async reply(ctx, key, produce) {
      const generation = await generationOf(ctx);
      const found = generation.kept.get(key);
      if (found !== undefined) {
        generation.kept.delete(key);
        generation.kept.set(key, found);
        return found.reply;
      }
      const made: Kept = { reply: produce(), bytes: 0 };
      generation.kept.set(key, made);
      try {
        made.bytes = sizeOf(await made.reply);
      } catch (error) {
        generation.kept.delete(key);
        throw error;
      }
      generation.bytes += made.bytes;
      dropOldest(generation, maxBytes);
      return made.reply;
    },
  };
}

function dropOldest(generation: Generation, maxBytes: number): void {
  for (const [key, oldest] of generation.kept) {
    if (generation.bytes <= maxBytes) return;
    generation.kept.delete(key);
    generation.bytes -= oldest.bytes;
  }
}

/** The bytes a kept reply takes, its keys and headers roughly included. */
function sizeOf(reply: ReadyReply): number {
  return reply.body.length + (reply.gzipped?.length ?? 0) + 1000;
}

/**
 * Lets callers share one run of `ask`, but only one that begins after they came: while a run is under way, newcomers
 * wait for the next. An answer is therefore never older than the question.
 */
function shared<A, T>(ask: (argument: A) => Promise<T>): (argument: A) => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const start = (argument: A): Promise<T> => {
    const run = ask(argument).finally(() => {
      if (running === run) running = null;
    });
    running = run;
    return run;
  };
  return (argument) => {
    if (running === null) return start(argument);
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return start(argument);
      });
    return next;
  };
}
