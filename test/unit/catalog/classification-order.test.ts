import { findChangedPositions, moveTo } from '../../../src/catalog/classifications/classification-order';

/** Builds the products 1 to n of a taxon; the given ids are not listed. */
function order(n: number, unlisted: readonly number[] = []) {
  return Array.from({ length: n }, (_, index) => ({
    id: index + 1,
    product_id: index + 1,
    position: index + 1,
    listed: !unlisted.includes(index + 1),
  }));
}

function moved(from: ReturnType<typeof order>, id: number, index: number): number[] {
  const one = from.find((candidate) => candidate.id === id);
  if (one === undefined) throw new Error(`no ${id}`);
  return moveTo(from, one, index).map((entry) => entry.id);
}

describe('moving within a taxon', () => {
  test.each([
    [4, 0, [4, 1, 2, 3]],
    [1, 2, [2, 3, 1, 4]],
    [1, 3, [2, 3, 4, 1]],
    [2, 1, [1, 2, 3, 4]],
    [1, 99, [2, 3, 4, 1]],
    [3, -5, [3, 1, 2, 4]],
  ])('%d to index %d', (id, index, expected) => {
    expect(moved(order(4), id, index)).toEqual(expected);
  });

  test('unlisted products do not count and stay behind their predecessor', () => {
    expect(moved(order(5, [2]), 5, 1)).toEqual([1, 5, 2, 3, 4]);
    expect(moved(order(5, [2]), 1, 1)).toEqual([2, 3, 1, 4, 5]);
    expect(moved(order(5, [1, 2]), 5, 0)).toEqual([5, 1, 2, 3, 4]);
    expect(moved(order(5, [5]), 1, 3)).toEqual([2, 3, 4, 1, 5]);
    expect(moved(order(3, [1]), 1, 1)).toEqual([2, 1, 3]);
  });
});

test('only changed positions are written', () => {
  const four = order(4);
  expect(findChangedPositions(four)).toEqual([]);
  expect(findChangedPositions(four.toSpliced(1, 2, four[2]!, four[1]!))).toEqual([
    { id: 3, position: 2 },
    { id: 2, position: 3 },
  ]);
});
