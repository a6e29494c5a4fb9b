/**
 * Returns the image ids of one variant in order, with `id` inserted among `others` at `position`. Positions are
 * 1-based; null and positions after the end mean last.
 */
export function placeImage(others: readonly number[], id: number, position: number | null): number[] {
  const index = position === null ? others.length : position - 1;
  return [...others.slice(0, index), id, ...others.slice(index)];
}
