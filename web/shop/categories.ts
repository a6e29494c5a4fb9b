import type { Product } from 'store-api-client';

/** Returns the categories from the top to the deepest one of a product, in its first taxonomy. */
export function wayTo({ classifications }: Pick<Product, 'classifications'>) {
  const taxons = classifications.map(({ taxon }) => taxon);
  const tree = taxons[0]?.taxonomy_id;
  const all = taxons
    .filter(({ taxonomy_id }) => taxonomy_id === tree)
    .sort((one, other) => depthOf(one) - depthOf(other));
  const deepest = all.at(-1)?.permalink ?? '';
  return all.filter(
    ({ permalink, parent_id }) => parent_id !== null && `${deepest}/`.startsWith(`${permalink}/`),
  );
}

const depthOf = ({ permalink }: { permalink: string }): number => permalink.split('/').length;
