/** Adds up the quantities of these rows. */
export function sumQuantities(rows: readonly { quantity: number }[]): number {
  return rows.reduce((all, { quantity }) => all + quantity, 0);
}

/** Adds up the quantities of these rows by variant, in the order in which the variants appear. */
export function sumByVariant(
  rows: readonly { variant_id: number; quantity: number }[],
): { variant_id: number; quantity: number }[] {
  const sums = new Map<number, number>();
  for (const { variant_id, quantity } of rows) sums.set(variant_id, (sums.get(variant_id) ?? 0) + quantity);
  return [...sums].map(([variant_id, quantity]) => ({ variant_id, quantity }));
}
