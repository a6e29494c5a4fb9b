import { checkAllRead } from '../../../src/platform/all-read';

test('attributes that no code reads do not compile', () => {
  const { name, ...left } = { name: 'Mug', size: 1 };
  // @ts-expect-error `size` is left
  checkAllRead(left);
  const { size, ...nothing } = left;
  checkAllRead(nothing);
  expect([name, size]).toEqual(['Mug', 1]);
});
