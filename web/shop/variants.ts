import type { OptionValue, Product, Variant } from 'store-api-client';
import type { Filters } from './filters';

/** The chosen value of each option type, by the ids of both. */
export type Choice = Readonly<Record<number, number>>;

const isChosen = (choice: Choice, typeId: number | null, valueId: number): boolean =>
  typeId !== null && choice[typeId] === valueId;

const choiceOf = ({ option_values }: Variant): Choice =>
  Object.fromEntries(
    option_values.map(({ option_type_id, id }): [number, number] => [option_type_id ?? 0, id]),
  );

/** How many of the choices a variant has. */
const agreement = (variant: Variant, choice: Choice): number =>
  variant.option_values.filter(({ option_type_id, id }) => isChosen(choice, option_type_id, id)).length;

/** The variants with just these values: variants of a product may lack an option that others have, or be equal in all. */
export function findVariants(variants: readonly Variant[], choice: Choice): Variant[] {
  const count = Object.keys(choice).length;
  return variants.filter(
    (variant) => variant.option_values.length === count && agreement(variant, choice) === count,
  );
}

/** Of the variants with just these values the picked one, else the first that can be bought, else the first. */
export function findVariant(
  variants: readonly Variant[],
  choice: Choice,
  picked?: number,
): Variant | undefined {
  const alike = findVariants(variants, choice);
  return alike.find(({ id }) => id === picked) ?? alike.find(({ is_orderable }) => is_orderable) ?? alike[0];
}

/** Whether a variant has one of the chosen values of each option type. */
export const hasValues = (
  { option_values = [] }: { option_values?: readonly Pick<OptionValue, 'name' | 'option_type_name'>[] },
  options: Filters['options'],
): boolean =>
  Object.entries(options).every(([type, names]) =>
    option_values.some(({ option_type_name, name }) => option_type_name === type && names.includes(name)),
  );

/** The first variant with these values, if possible one that can be bought; without one, the first of all. */
export function firstChoice({ variants }: Product, options: Filters['options']): Choice {
  const fitting = variants.filter((variant) => hasValues(variant, options));
  const candidates = fitting.length > 0 ? fitting : variants;
  const variant = candidates.find(({ is_orderable }) => is_orderable) ?? candidates[0];
  return variant === undefined ? {} : choiceOf(variant);
}

/** Chooses a value. Where no variant has it together with the other choices, the most similar one is chosen. */
export function choose(
  variants: readonly Variant[],
  choice: Choice,
  typeId: number,
  valueId: number,
): Choice {
  const wanted = { ...choice, [typeId]: valueId };
  if (findVariant(variants, wanted) !== undefined) return wanted;
  const [nearest] = variants
    .filter(({ option_values }) => option_values.some(({ id }) => id === valueId))
    .sort((one, other) => agreement(other, wanted) - agreement(one, wanted));
  return nearest === undefined ? wanted : choiceOf(nearest);
}

/** Whether a value can be bought together with the other choices. */
export function isOffered(
  variants: readonly Variant[],
  choice: Choice,
  typeId: number,
  valueId: number,
): boolean {
  return findVariant(variants, { ...choice, [typeId]: valueId })?.is_orderable ?? false;
}

/** The values of an option type that variants have, in their order. */
export function valuesOf({ option_types, variants }: Product, typeId: number) {
  const used = new Set(variants.flatMap(({ option_values }) => option_values.map(({ id }) => id)));
  return (option_types.find(({ id }) => id === typeId)?.option_values ?? []).filter(({ id }) => used.has(id));
}
