import { Unavailable } from '../../../src/platform/errors';
import { createTurns } from '../../../src/platform/turns';

/** Work that ends when the test decides. */
function heldWork() {
  const started: string[] = [];
  const release = new Map<string, () => void>();
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<void>((resolve) => release.set(name, resolve));
  };
  return { started, work, finish: (name: string) => release.get(name)?.() };
}

test('work of one key runs one at a time, work of other keys beside it', async () => {
  const inTurn = createTurns({ waiting: 1 });
  const { started, work, finish } = heldWork();
  const first = inTurn('a', work('a1'));
  const second = inTurn('a', work('a2'));
  const other = inTurn('b', work('b1'));
  expect(started).toEqual(['a1', 'b1']);
  await expect(inTurn('a', work('a3'))).rejects.toBeInstanceOf(Unavailable);
  finish('a1');
  await first;
  expect(started).toEqual(['a1', 'b1', 'a2']);
  finish('a2');
  finish('b1');
  await Promise.all([second, other]);
  const again = inTurn('a', work('a4'));
  expect(started.at(-1)).toBe('a4');
  finish('a4');
  await again;
});

test('work that waits too long gives its place back', async () => {
  const inTurn = createTurns({ waiting: 1, waitMs: 20 });
  const { started, work, finish } = heldWork();
  const first = inTurn('a', work('a1'));
  await expect(inTurn('a', work('a2'))).rejects.toBeInstanceOf(Unavailable);
  const next = inTurn('a', work('a3'));
  finish('a1');
  await first;
  expect(started).toEqual(['a1', 'a3']);
  finish('a3');
  await next;
});
