import { Unavailable } from '../../../src/platform/errors';
import { createFairShare, type FairShare } from '../../../src/platform/fair-share';

let time: number;
let busy: boolean;
let share: FairShare;
let started: string[];

beforeEach(() => {
  jest.useFakeTimers();
  time = 0;
  busy = true;
  started = [];
  share = createFairShare({ isBusy: () => busy, now: () => time });
});
afterEach(() => jest.useRealTimers());

/** Begins work, notes its start, and returns what ends it. */
async function begin(caller: string): Promise<() => void> {
  const end = await share.begin(caller);
  started.push(caller);
  return end;
}

/** Lets the time pass, and what waits for it begin. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10) {
    time += 10;
    await jest.advanceTimersByTimeAsync(10);
  }
}

/** A caller who has used much, beside another one. */
async function exhaust(...callers: string[]): Promise<void> {
  (await share.begin('calm'))();
  for (const caller of callers) {
    share.spend(caller, 1_000);
    (await share.begin(caller))();
  }
  await pass(20);
}

test('a caller who has used little starts at once, beside the work of others', async () => {
  await exhaust('greedy');
  await begin('greedy');
  void begin('greedy');
  for (let count = 0; count < 8; count += 1) await begin('calm');
  expect(started).toEqual(['greedy', ...Array<string>(8).fill('calm')]);
});

test('the work of a caller who has used much runs one at a time, and leaves others as much time', async () => {
  await exhaust('greedy');
  const end = await begin('greedy');
  void begin('greedy');
  await pass(100);
  await begin('calm');
  expect(started).toEqual(['greedy', 'calm']);
  end();
  await pass(90);
  expect(started).toEqual(['greedy', 'calm']);
  await pass(20);
  expect(started).toEqual(['greedy', 'calm', 'greedy']);
});

test('it goes on at once when no other caller has work, and beside work that waits for something else', async () => {
  await exhaust('greedy');
  const end = await begin('greedy');
  void begin('greedy');
  void begin('greedy');
  await pass(100);
  end();
  await pass(10);
  expect(started).toHaveLength(2);
  await pass(300);
  expect(started).toHaveLength(3);
});

test('a caller is exhausted until it has used little for long enough', async () => {
  expect(share.isExhausted('greedy')).toBe(false);
  share.spend('greedy', 600);
  expect(share.isExhausted('greedy')).toBe(true);
  await pass(1_010);
  expect(share.isExhausted('greedy')).toBe(false);
});

test('the caller who has used less goes first', async () => {
  await exhaust('greedy', 'frugal');
  share.spend('greedy', 500);
  const end = await begin('greedy');
  for (const caller of ['greedy', 'greedy', 'frugal']) void begin(caller);
  end();
  await pass(10);
  expect(started).toEqual(['greedy', 'frugal']);
});

test('many requests at once of a new caller take turns as well', async () => {
  await exhaust();
  for (let count = 0; count < 20; count += 1) void begin('burst');
  await pass(20);
  expect(started.length).toBeLessThan(12);
});

test('what has been used is forgotten in time', async () => {
  await exhaust('greedy');
  await begin('greedy');
  await pass(4_000);
  await begin('calm');
  for (let count = 0; count < 3; count += 1) await begin('greedy');
  expect(started).toHaveLength(5);
});

test('a caller who is alone is not held back, nor is anyone while the processor is free', async () => {
  await exhaust('greedy');
  await pass(1_100);
  share.spend('greedy', 3_000);
  for (let count = 0; count < 20; count += 1) await begin('greedy');
  expect(started).toHaveLength(20);
  (await share.begin('calm'))();
  busy = false;
  void begin('greedy');
  void begin('greedy');
  await pass(50);
  expect(started).toHaveLength(22);
});

test('at most 256 tasks of a caller wait', async () => {
  await exhaust('greedy');
  await begin('greedy');
  for (let count = 0; count < 256; count += 1) void begin('greedy');
  await expect(share.begin('greedy')).rejects.toThrow(Unavailable);
  expect(started).toEqual(['greedy']);
});
