import { Conflict, INVALID, InvalidResource } from '../../platform/errors';
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
import type { VariantAttributes } from './variants.schema';

/** What a body says of one variant's options. */
export type OptionChanges = { id: number } & Pick<VariantAttributes, 'option_value_ids' | 'options'>;

/**
 * `option_value_ids` replaces a variant's values, `options` sets the value of each type it names; types the product
 * lacks are added to it. A variant has at most one value of a type. As many statements for one variant as for many.
 * @throws InvalidResource
 */
export async function applyOptions(
  tx: Tx,
  productId: number,
  variants: readonly OptionChanges[],
): Promise<void> {
  const asked = variants.filter(
    ({ option_value_ids: ids, options = [] }) => ids !== undefined || options.length > 0,
  );
  if (asked.length === 0) return;
  const present = await loadCurrentLinks(tx, asked);
  const named = await findOrCreateNamedLinks(tx, asked);
  const wanted = asked.map((variant) => {
    const [kept, set] = [present(variant), named(variant)];
    const types = new Set(set.map((link) => link.option_type_id));
    return { id: variant.id, links: [...kept.filter((link) => !types.has(link.option_type_id)), ...set] };
  });
  for (const { links } of wanted) requireDistinctTypes(links);
  await replaceOptionValues(
    tx,
    wanted.map(({ id, links }) => ({ id, value_ids: links.map((link) => link.id) })),
  );
  const typeIds = wanted.flatMap(({ links }) => links.flatMap((link) => link.option_type_id ?? []));
  await addOptionTypesToProduct(tx, productId, [...new Set(typeIds)]);
}

type LinksOf = (variant: OptionChanges) => OptionLink[];

/** The values a variant starts from: those that are named by id, else those it has. */
async function loadCurrentLinks(tx: Tx, variants: readonly OptionChanges[]): Promise<LinksOf> {
  const ids = [...new Set(variants.flatMap((variant) => variant.option_value_ids ?? []))];
  const byId = new Map(
    ids.length === 0 ? [] : (await findOptionLinks(tx, ids)).map((link) => [link.id, link] as const),
  );
  const silent = variants.filter((variant) => variant.option_value_ids === undefined).map(({ id }) => id);
  const had = groupBy(
    silent.length === 0 ? [] : await findOptionLinksOfVariants(tx, silent),
    (link) => link.variant_id,
  );
  return ({ id, option_value_ids: named }) => {
    if (named === undefined) return had.get(id) ?? [];
    return (named ?? []).map((valueId) => {
      const link = byId.get(valueId);
      if (link === undefined) throw new InvalidResource({ option_value_ids: [INVALID] });
      return link;
    });
  };
}

/** The values a variant is given by name; types and values are made where they are missing. */
async function findOrCreateNamedLinks(tx: Tx, variants: readonly OptionChanges[]): Promise<LinksOf> {
  const options = variants.flatMap((variant) => variant.options ?? []);
  const types = await findOrCreateOptionTypes(
    tx,
    options.map((option) => option.name),
  );
  const typeOf = (name: string): number => {
    const id = types.get(name);
    if (id === undefined) throw new Conflict(`option type ${name} is being deleted`);
    return id;
  };
  const values = await findOrCreateOptionValues(
    tx,
    options.map(({ name, value }) => ({ option_type_id: typeOf(name), name: value })),
  );
  const key = (typeId: number, name: string): string => `${typeId} ${name}`;
  const byName = new Map(values.map((value) => [key(value.option_type_id, value.name), value]));
  return (variant) =>
    (variant.options ?? []).map(({ name, value }) => {
      const link = byName.get(key(typeOf(name), value));
      if (link === undefined) throw new Conflict(`option value ${value} is being deleted`);
      return link;
    });
}

function requireDistinctTypes(links: readonly OptionLink[]): void {
  const typeIds = links.flatMap((link) => link.option_type_id ?? []);
  if (typeIds.length < links.length || new Set(typeIds).size < typeIds.length) {
    throw new InvalidResource({ option_values: [INVALID] });
  }
}
