import { INVALID, InvalidResource } from '../../platform/errors';
import type { Tx } from '../../platform/database/transaction';
import { groupBy } from '../../platform/group-by';
import {
  addOptionTypesToProduct,
  findOptionLinks,
  findOptionLinksOfVariants,
  findOrCreateOptionTypes,
  findOrCreateOptionValues,
  replaceOptionValues,
  type OptionLink,
} from './options.repository';
import type { VariantAttributes } from './variants.definition';

/** The options of one variant in a body. */
export type OptionChanges = { id: number } & Pick<VariantAttributes, 'option_value_ids' | 'options'>;

/**
 * Applies options to variants: `option_value_ids` replaces all values, `options` sets the value of each given type.
 * Missing types are added to the product. Takes a constant number of statements.
 * @throws InvalidResource also if a variant would have two values of one type
 */
export async function applyOptions(
  tx: Tx,
  productId: number,
  variants: readonly OptionChanges[],
): Promise<void> {
  const changed = variants.filter(
    ({ option_value_ids: ids, options = [] }) => ids !== undefined || options.length > 0,
  );
  if (changed.length === 0) return;
  const getCurrentLinks = await loadCurrentLinks(tx, changed);
  const getNamedLinks = await findOrCreateNamedLinks(tx, changed);
  const results = changed.map((variant) => {
    const [current, named] = [getCurrentLinks(variant), getNamedLinks(variant)];
    const types = new Set(named.map((link) => link.option_type_id));
    return {
      id: variant.id,
      links: [...current.filter((link) => !types.has(link.option_type_id)), ...named],
    };
  });
  for (const { links } of results) requireDistinctTypes(links);
  await replaceOptionValues(
    tx,
    results.map(({ id, links }) => ({ id, value_ids: links.map((link) => link.id) })),
  );
  const typeIds = results.flatMap(({ links }) => links.flatMap((link) => link.option_type_id ?? []));
  await addOptionTypesToProduct(tx, productId, [...new Set(typeIds)]);
}

type GetLinks = (variant: OptionChanges) => OptionLink[];

/** Loads the values given by id, or else the existing values of the variant. */
async function loadCurrentLinks(tx: Tx, variants: readonly OptionChanges[]): Promise<GetLinks> {
  const ids = [...new Set(variants.flatMap((variant) => variant.option_value_ids ?? []))];
  const byId = new Map(
    ids.length === 0 ? [] : (await findOptionLinks(tx, ids)).map((link) => [link.id, link] as const),
  );
  const unchanged = variants.filter((variant) => variant.option_value_ids === undefined).map(({ id }) => id);
  const existing = groupBy(
    unchanged.length === 0 ? [] : await findOptionLinksOfVariants(tx, unchanged),
    (link) => link.variant_id,
  );
  return ({ id, option_value_ids: named }) => {
    if (named === undefined) return existing.get(id) ?? [];
    return (named ?? []).map((valueId) => {
      const link = byId.get(valueId);
      if (link === undefined) throw new InvalidResource({ option_value_ids: [INVALID] });
      return link;
    });
  };
}

/** Finds the values given by name, and creates missing types and values. */
async function findOrCreateNamedLinks(tx: Tx, variants: readonly OptionChanges[]): Promise<GetLinks> {
  const options = variants.flatMap((variant) => variant.options ?? []);
  const typeIdOf = await findOrCreateOptionTypes(tx, options.map((option) => option.name)); // prettier-ignore
  const toValue = ({ name, value }: (typeof options)[number]) => ({
    option_type_id: typeIdOf(name),
    name: value,
  });
  const findValue = await findOrCreateOptionValues(tx, options.map(toValue));
  return (variant) => (variant.options ?? []).map((option) => findValue(toValue(option)));
}

function requireDistinctTypes(links: readonly OptionLink[]): void {
  const typeIds = links.flatMap((link) => link.option_type_id ?? []);
  if (typeIds.length < links.length || new Set(typeIds).size < typeIds.length) {
    throw new InvalidResource({ option_values: [INVALID] });
  }
}
