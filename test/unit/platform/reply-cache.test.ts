import type { Ctx } from '../../../src/access/context';
import { buildReadyReply, type ReadyReply } from '../../../src/platform/http/ready-reply';
import {
  createReplyCache,
  createReplyCaches,
  type ReplySource,
} from '../../../src/platform/http/reply-cache';

const LOST = new Error('database unreachable');

/** A source whose revision, validity and clock the test changes. */
function aSource(maxBytes = 1_000_000) {
  const state = {
    revision: '1',
    validUntil: null as Date | null,
    now: new Date('2026-01-01T00:00:00Z'),
    broken: null as 'revision' | 'validUntil' | null,
    calls: { revision: 0, validUntil: 0 },
  };
  const source: ReplySource<Ctx> = {
    name: 'test',
    revision: () => {
      state.calls.revision += 1;
      return state.broken === 'revision' ? Promise.reject(LOST) : Promise.resolve(state.revision);
    },
    validUntil: () => {
      state.calls.validUntil += 1;
      return state.broken === 'validUntil' ? Promise.reject(LOST) : Promise.resolve(state.validUntil);
    },
    maxBytes,
  };
  // The cache only uses the clock of the context; the rest is passed to the source.
  const ctx = { now: () => state.now } as Ctx;
  return { state, source, ctx };
}

/** Produces replies and counts them. */
function aMaker(body: unknown = { made: true }) {
  const maker = { made: 0, produce: () => Promise.resolve(made()) };
  const made = (): ReadyReply => {
    maker.made += 1;
    return buildReadyReply(body, { 'Cache-Control': 'no-cache' });
  };
  return maker;
}

/** A promise and the functions that resolve and reject it. */
function aGate<T>() {
  let open: (value: T) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { promise, open, fail };
}

/** Waits for a condition, one turn of the event loop at a time. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(setImmediate);
}

test('produces a reply once for each revision', async () => {
  const { state, source, ctx } = aSource();
  const cache = createReplyCache(source);
  const maker = aMaker();
  const first = await cache.reply(ctx, 'a', maker.produce);
  expect(await cache.reply(ctx, 'a', maker.produce)).toBe(first);
  expect(maker.made).toBe(1);
  await cache.reply(ctx, 'b', maker.produce);
  expect(maker.made).toBe(2);

  state.revision = '2';
  await cache.reply(ctx, 'a', maker.produce);
  expect(maker.made).toBe(3);
  expect(state.calls).toEqual({ revision: 4, validUntil: 2 });
});

test('a lower revision also invalidates the cache, as after a restore', async () => {
  const { state, source, ctx } = aSource();
  const cache = createReplyCache(source);
  const maker = aMaker();
  for (const revision of ['9', '3', '9']) {
    state.revision = revision;
    await cache.reply(ctx, 'a', maker.produce);
  }
  expect(maker.made).toBe(3);
});

test('cached replies expire exactly at validUntil', async () => {
  const { state, source, ctx } = aSource();
  const cache = createReplyCache(source);
  const maker = aMaker();
  state.validUntil = new Date('2026-01-01T00:00:10Z');
  await cache.reply(ctx, 'a', maker.produce);
  state.now = new Date('2026-01-01T00:00:09.999Z');
  await cache.reply(ctx, 'a', maker.produce);
  expect(maker.made).toBe(1);

  state.now = new Date('2026-01-01T00:00:10Z');
  state.validUntil = null;
  await cache.reply(ctx, 'a', maker.produce);
  await cache.reply(ctx, 'a', maker.produce);
  expect(maker.made).toBe(2);
});

test('requests that arrive together share one query of the revision', async () => {
  const { state, source, ctx } = aSource();
  const cache = createReplyCache(source);
  const maker = aMaker();
  await Promise.all(['a', 'b', 'c', 'd'].map((key) => cache.reply(ctx, key, maker.produce)));
  expect(state.calls.revision).toBe(1);
  expect(maker.made).toBe(4);
});

test('concurrent requests for the same reply share one production', async () => {
  const { source, ctx } = aSource();
  const cache = createReplyCache(source);
  const gate = aGate<ReadyReply>();
  let made = 0;
  const produce = () => {
    made += 1;
    return gate.promise;
  };
  const waiting = Array.from({ length: 20 }, () => cache.reply(ctx, 'a', produce));
  gate.open(buildReadyReply({ one: 1 }, {}));
  const replies = await Promise.all(waiting);
  expect(new Set(replies).size).toBe(1);
  expect(made).toBe(1);
});

test('a failure reaches all waiting requests and is not cached', async () => {
  const { source, ctx } = aSource();
  const cache = createReplyCache(source);
  const fail = () => Promise.reject(new Error('gone'));
  const settled = await Promise.allSettled([cache.reply(ctx, 'a', fail), cache.reply(ctx, 'a', fail)]);
  expect(settled.map((one) => one.status)).toEqual(['rejected', 'rejected']);
  const maker = aMaker();
  await cache.reply(ctx, 'a', maker.produce);
  expect(maker.made).toBe(1);
});

test.each(['revision', 'validUntil'] as const)('%s is read again after it has failed', async (what) => {
  const { state, source, ctx } = aSource();
  const cache = createReplyCache(source);
  const maker = aMaker();
  state.broken = what;
  await expect(cache.reply(ctx, 'a', maker.produce)).rejects.toThrow('database unreachable');
  state.broken = null;
  await cache.reply(ctx, 'a', maker.produce);
  expect(maker.made).toBe(1);
});

test('a request only uses a revision that was read after its arrival', async () => {
  const { state, source, ctx } = aSource();
  const gates: ReturnType<typeof aGate<string>>[] = [];
  source.revision = () => {
    const gate = aGate<string>();
    gates.push(gate);
    return gate.promise;
  };
  const cache = createReplyCache(source);
  const maker = aMaker();
  const first = cache.reply(ctx, 'a', maker.produce);
  await until(() => gates.length === 1);
  // These arrive during the first run, whose result may be older than they are.
  const later = [cache.reply(ctx, 'a', maker.produce), cache.reply(ctx, 'a', maker.produce)];
  gates[0]?.open('1');
  const old = await first;
  await until(() => gates.length === 2);
  gates[1]?.open('2');
  const [second, third] = await Promise.all(later);
  expect(second).not.toBe(old);
  expect(third).toBe(second);
  expect(maker.made).toBe(2);
  expect(state.calls.validUntil).toBe(2);
});

test('a reply in production when the revision changes is not cached for the new revision', async () => {
  const { state, source, ctx } = aSource();
  const cache = createReplyCache(source);
  const gate = aGate<ReadyReply>();
  let isMaking = false;
  const slow = cache.reply(ctx, 'a', () => {
    isMaking = true;
    return gate.promise;
  });
  await until(() => isMaking);
  state.revision = '2';
  const maker = aMaker({ fresh: true });
  const fresh = await cache.reply(ctx, 'a', maker.produce);
  gate.open(buildReadyReply({ fresh: false }, {}));
  expect((await slow).body.text).toBe('{"fresh":false}');
  expect(await cache.reply(ctx, 'a', maker.produce)).toBe(fresh);
});

describe('memory', () => {
  const large = 'x'.repeat(10_000);

  test('evicts the least recently used replies first', async () => {
    const { source, ctx } = aSource(70_000);
    const cache = createReplyCache(source);
    const maker = aMaker(large);
    for (const key of ['a', 'b', 'c', 'a', 'd']) await cache.reply(ctx, key, maker.produce);
    expect(maker.made).toBe(4);
    await cache.reply(ctx, 'a', maker.produce);
    expect(maker.made).toBe(4);
    await cache.reply(ctx, 'b', maker.produce);
    expect(maker.made).toBe(5);
  });

  test('never exceeds the limit', async () => {
    const { source, ctx } = aSource(70_000);
    const cache = createReplyCache(source);
    const maker = aMaker(large);
    for (let n = 0; n < 50; n += 1) await cache.reply(ctx, `key ${n}`, maker.produce);
    const before = maker.made;
    for (let n = 49; n >= 0; n -= 1) await cache.reply(ctx, `key ${n}`, maker.produce);
    expect(50 - (maker.made - before)).toBe(3);
  });

  test('returns a reply that is larger than the limit without caching it', async () => {
    const { source, ctx } = aSource(1_000);
    const cache = createReplyCache(source);
    const maker = aMaker(large);
    await cache.reply(ctx, 'a', maker.produce);
    await cache.reply(ctx, 'a', maker.produce);
    expect(maker.made).toBe(2);
  });

  test('does not evict replies in production', async () => {
    const { source, ctx } = aSource(30_000);
    const cache = createReplyCache(source);
    const gate = aGate<ReadyReply>();
    let made = 0;
    const produce = () => {
      made += 1;
      return gate.promise;
    };
    const slow = cache.reply(ctx, 'slow', produce);
    const maker = aMaker(large);
    for (const key of ['a', 'b', 'c']) await cache.reply(ctx, key, maker.produce);
    const waiting = cache.reply(ctx, 'slow', produce);
    await cache.reply(ctx, 'd', maker.produce);
    gate.open(buildReadyReply({}, {}));
    expect(await waiting).toBe(await slow);
    expect(made).toBe(1);
  });
});

test('each application has its own cache for a source', () => {
  const { source } = aSource();
  const here = createReplyCaches();
  expect(here(source)).toBe(here(source));
  expect(here(aSource().source)).not.toBe(here(source));
  expect(createReplyCaches()(source)).not.toBe(here(source));
});
