/** A product's place among those of a taxon. */
export interface OrderedClassification {
  id: number;
  product_id: number;
  /** 1-based, over listed and unlisted alike. */
  position: number;
  /** Whether the product is in the list by which people count. */
  listed: boolean;
}

/**
 * The order after `moved` went to `index`: 0-based among the listed ones, clamped to the ends. The others keep their
 * order; what is not listed stays behind its predecessor.
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

/** Those whose position is not their place in `order`, with the position they should have. */
export function findChangedPositions(
  order: readonly OrderedClassification[],
): { id: number; position: number }[] {
  return order.flatMap(({ id, position }, index) =>
    position === index + 1 ? [] : [{ id, position: index + 1 }],
  );
}
