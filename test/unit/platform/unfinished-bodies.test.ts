import { createUnfinishedBodies } from '../../../src/platform/http/unfinished-bodies';

const KIB = 1024;

test('the oldest bodies are cut off when all together take too much', () => {
  const bodies = createUnfinishedBodies(100 * KIB);
  const cut: string[] = [];
  const begin = (name: string) => bodies.begin(() => cut.push(name));
  const [first, second, third] = [begin('first'), begin('second'), begin('third')];
  first.add(60 * KIB);
  second.add(60 * KIB);
  expect(cut).toEqual([]);
  third.add(40 * KIB);
  expect(cut).toEqual(['first']);
  third.add(60 * KIB);
  expect(cut).toEqual(['first', 'second']);
});

test('bodies of up to 16 KiB are never cut off', () => {
  const bodies = createUnfinishedBodies(10 * KIB);
  const cut: string[] = [];
  bodies.begin(() => cut.push('small')).add(16 * KIB);
  bodies.begin(() => cut.push('large')).add(30 * KIB);
  expect(cut).toEqual(['large']);
});

test('a body gives its memory back when it ends', () => {
  const bodies = createUnfinishedBodies(100 * KIB);
  const cut: number[] = [];
  for (let count = 0; count < 50; count += 1) {
    const body = bodies.begin(() => cut.push(count));
    body.add(90 * KIB);
    body.end();
    body.add(90 * KIB);
    body.end();
  }
  expect(cut).toEqual([]);
});
