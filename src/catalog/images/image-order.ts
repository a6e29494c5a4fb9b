/**
 * The images of one viewable in order, with `id` put among the others at `position`: 1 is the first, null and
 * whatever lies behind the last is the last.
 */
export function placeImage(others: readonly number[], id: number, position: number | null): number[] {
  const index = position === null ? others.length : position - 1;
  return [...others.slice(0, index), id, ...others.slice(index)];
}
