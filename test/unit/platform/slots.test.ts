import { Unavailable } from '../../../src/platform/errors';
import { createSlots } from '../../../src/platform/slots';

/** Work that ends when the test decides. */
function heldWork() {
  const started: string[] = [];
  const release = new Map<string, () => void>();
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => release.set(name, () => resolve(name)));
  };
  return { started, work, finish: (name: string) => release.get(name)?.() };
}

describe('slots', () => {
  test('run up to the limit, queue the next in order, and reject when the queue is full', async () => {
    const slots = createSlots({ concurrency: 2, waiting: 2 });
    const { started, work, finish } = heldWork();
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => slots(work(name)));
    await expect(slots(work('e'))).rejects.toBeInstanceOf(Unavailable);
    expect(started).toEqual(['a', 'b']);

    finish('b');
    await expect(b).resolves.toBe('b');
    expect(started).toEqual(['a', 'b', 'c']);
    finish('a');
    await a;
    expect(started).toEqual(['a', 'b', 'c', 'd']);
    finish('c');
    finish('d');
    await Promise.all([c, d]);

    const later = slots(work('f'));
    expect(started.at(-1)).toBe('f');
    finish('f');
    await later;
  });

  test('reject work that waits too long, and run the work after it', async () => {
    const slots = createSlots({ concurrency: 1, waiting: 2, waitMs: 20 });
    const { started, work, finish } = heldWork();
    const first = slots(work('a'));
    await expect(slots(work('b'))).rejects.toBeInstanceOf(Unavailable);
    const next = slots(work('c'));
    finish('a');
    await first;
    expect(started).toEqual(['a', 'c']);
    finish('c');
    await next;
  });

  test('are released by failed work', async () => {
    const slots = createSlots({ concurrency: 1, waiting: 1 });
    const failing = slots(() => Promise.reject(new Error('no')));
    const next = slots(() => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('yes');
    await expect(slots(() => Promise.resolve('again'))).resolves.toBe('again');
  });

  test('run one short task at a time while the event loop is busy, and do not wait for a long one', async () => {
    jest.useFakeTimers();
    try {
      let busy = true;
      const slots = createSlots({ concurrency: 3, waiting: 10, isBusy: () => busy });
      const { started, work, finish } = heldWork();
      const tasks = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => slots(work(name)));
      expect(started).toEqual(['a']);
      finish('a');
      await tasks[0];
      expect(started).toEqual(['a', 'b']);
      await jest.advanceTimersByTimeAsync(49);
      expect(started).toEqual(['a', 'b']);
      await jest.advanceTimersByTimeAsync(1);
      expect(started).toEqual(['a', 'b', 'c']);
      busy = false;
      finish('b');
      await tasks[1];
      expect(started).toEqual(['a', 'b', 'c', 'd', 'e']);
      await jest.advanceTimersByTimeAsync(1_000);
      expect(started).toHaveLength(5);
      for (const name of ['c', 'd', 'e']) finish(name);
      await Promise.all(tasks.slice(2, 5));
      finish('f');
      await tasks[5];
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});
