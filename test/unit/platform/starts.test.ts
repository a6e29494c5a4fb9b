import { createStarts } from '../../../src/platform/http/starts';

const endOfTurn = () => new Promise((resolve) => setImmediate(resolve));

test('requests of an address beyond four wait for the next turns of the event loop, those of others do not', async () => {
  const begin = createStarts();
  const started: string[] = [];
  for (let count = 1; count <= 10; count += 1) begin('greedy', () => started.push(`greedy ${count}`));
  begin('calm', () => started.push('calm 1'));
  const first = ['greedy 1', 'greedy 2', 'greedy 3', 'greedy 4', 'calm 1'];
  expect(started).toEqual(first);

  await endOfTurn();
  const second = ['greedy 5', 'greedy 6', 'greedy 7', 'greedy 8'];
  expect(started).toEqual([...first, ...second]);
  begin('greedy', () => started.push('greedy 11'));
  begin('calm', () => started.push('calm 2'));
  await endOfTurn();
  expect(started).toEqual([...first, ...second, 'calm 2', 'greedy 9', 'greedy 10', 'greedy 11']);
  await endOfTurn();
  for (let count = 12; count <= 19; count += 1) begin('greedy', () => started.push(`greedy ${count}`));
  expect(started).toHaveLength(17);
});

test('a request that fails at its start does not keep others from theirs', async () => {
  const begin = createStarts();
  const started: number[] = [];
  for (let count = 1; count <= 5; count += 1) begin('greedy', () => started.push(count));
  expect(() =>
    begin('calm', () => {
      throw new Error('failed');
    }),
  ).toThrow('failed');
  await endOfTurn();
  expect(started).toEqual([1, 2, 3, 4, 5]);
});
