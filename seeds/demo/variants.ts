import { COLORS, type ColorName } from './drawings/colors';
import { optionTypes, type OptionTypeName } from './options';
import type { ProductContent, StockLevel } from './products/product-content';

/** The names of an option type and one of its values. */
export interface OptionChoice {
  readonly type: OptionTypeName;
  readonly value: string;
}

/** A variant derived from the content. In lists the master comes first. */
export interface VariantPlan {
  readonly sku: string;
  readonly is_master: boolean;
  readonly choices: readonly OptionChoice[];
  readonly price: string;
  readonly count_on_hand: number;
  readonly backorderable: boolean;
  readonly track_inventory: boolean;
  /** The color of its images. */
  readonly color: ColorName;
}

/**
 * Plans the master and one variant for each combination of option values, with the last option type changing fastest.
 * If there are other variants, the master has no stock.
 * @throws Error if the content refers to an option value or a SKU suffix that does not exist
 */
export function planVariants(product: ProductContent): VariantPlan[] {
  const combinations = combine(product);
  const endings = combinations.map(skuEnding);
  const unknown = (product.sold_out ?? []).find((ending) => !endings.includes(ending));
  if (unknown !== undefined) throw new Error(`${product.name} has no variant ${unknown}`);

  const variants = combinations.map((choices, index) => planVariant(product, choices, endings[index] ?? ''));
  const level = variants.length > 0 ? 'sold_out' : product.stock;
  const master = {
    sku: product.sku,
    is_master: true,
    choices: [],
    price: product.price,
    color: product.color,
    ...stockOf(product.sku, level),
    track_inventory: product.stock !== 'untracked',
  };
  return [master, ...variants];
}

function planVariant(product: ProductContent, choices: readonly OptionChoice[], ending: string): VariantPlan {
  const sku = `${product.sku}-${ending}`;
  const priced = choices.map(({ value }) => product.prices?.[value]).find((price) => price !== undefined);
  const level = product.sold_out?.includes(ending) === true ? 'sold_out' : product.stock;
  return {
    sku,
    is_master: false,
    choices,
    price: priced ?? product.price,
    color: colorOf(choices) ?? product.color,
    ...stockOf(sku, level),
  };
}

function combine({ name, options = {} }: ProductContent): OptionChoice[][] {
  // Object.keys loses the type of the keys.
  const types = Object.keys(options) as OptionTypeName[];
  if (types.length === 0) return [];
  return types.reduce<OptionChoice[][]>(
    (combinations, type) =>
      combinations.flatMap((choices) =>
        (options[type] ?? []).map((value) => {
          if (optionTypes[type].values[value] === undefined)
            throw new Error(`${name}: option type ${type} has no value ${value}`);
          return [...choices, { type, value }];
        }),
      ),
    [[]],
  );
}

function skuEnding(choices: readonly OptionChoice[]): string {
  return choices.map(({ value }) => value.toUpperCase()).join('-');
}

function colorOf(choices: readonly OptionChoice[]): ColorName | undefined {
  const value = choices.find(({ type }) => type === 'color')?.value;
  return value !== undefined && isColor(value) ? value : undefined;
}

function isColor(value: string): value is ColorName {
  return Object.hasOwn(COLORS, value);
}

function stockOf(sku: string, level: StockLevel) {
  const tracked = { track_inventory: true };
  switch (level) {
    case 'plenty':
      return { ...tracked, count_on_hand: 24 + (hashText(sku) % 97), backorderable: true };
    case 'few':
      return { ...tracked, count_on_hand: 1 + (hashText(sku) % 5), backorderable: false };
    case 'sold_out':
      return { ...tracked, count_on_hand: 0, backorderable: false };
    case 'on_demand':
      return { ...tracked, count_on_hand: 0, backorderable: true };
    case 'untracked':
      return { track_inventory: false, count_on_hand: 0, backorderable: false };
  }
}

/** Returns the FNV-1a hash (32 bit) of a text, for numbers that look random but are stable. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash;
}
