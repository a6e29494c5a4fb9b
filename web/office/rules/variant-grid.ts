/** A value that a variant can have. */
export interface GridValue {
  id: number;
  name: string;
}

/** A variant that the grid adds. */
export interface GridVariant {
  option_value_ids: number[];
  /** The names of its values, for the SKU. */
  names: string[];
}

/**
 * Combines the chosen values of each option type, the last one changing first.
 * @param axes the chosen values by option type; without a value of one there is no variant
 * @param existing the value ids of the variants that exist, which are left out
 */
export function combineValues(
  axes: readonly (readonly GridValue[])[],
  existing: readonly (readonly number[])[],
): GridVariant[] {
  const keyOf = (ids: readonly number[]): string => [...ids].sort((one, other) => one - other).join(' ');
  const known = new Set(existing.map(keyOf));
  const start: GridVariant[] = axes.length === 0 ? [] : [{ option_value_ids: [], names: [] }];
  return axes
    .reduce(
      (made, values) =>
        made.flatMap(({ option_value_ids, names }) =>
          values.map(({ id, name }) => ({
            option_value_ids: [...option_value_ids, id],
            names: [...names, name],
          })),
        ),
      start,
    )
    .filter(({ option_value_ids }) => !known.has(keyOf(option_value_ids)));
}

/** Returns the SKU of a variant: the beginning, and the names of its values. */
export const skuOf = (beginning: string, { names }: GridVariant): string =>
  [beginning, ...names.map((name) => name.toUpperCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-'))].join('-');
