/** The position of a product within a taxon. */
export interface OrderedClassification {
  id: number;
  product_id: number;
  /** 1-based; counts listed and unlisted products. */
  position: number;
  /** Whether the product is visible in the list that an index refers to. */
  listed: boolean;
}

/**
 * Returns the order after `moved` is placed at `index`, which is 0-based among the listed products and clamped to the
 * ends. The others keep their order; an unlisted product stays behind its predecessor.
 */
export function moveTo(
  order: readonly OrderedClassification[],
  moved: OrderedClassification,
  index: number,
): OrderedClassification[] {
  const others = order.filter((one) => one.id !== moved.id);
  const before = others
    .filter((one) => one.listed)
    .slice(0, Math.max(index, 0))
    .at(-1);
  return others.toSpliced(before === undefined ? 0 : others.indexOf(before) + 1, 0, moved);
}

/** Returns the ids whose stored position differs from their place in `order`, with their new position. */
export function findChangedPositions(
  order: readonly OrderedClassification[],
): { id: number; position: number }[] {
  return order.flatMap(({ id, position }, index) =>
    position === index + 1 ? [] : [{ id, position: index + 1 }],
  );
}
