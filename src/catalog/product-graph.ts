import type { Db } from '../platform/database/knex';
import { groupBy } from '../platform/group-by';
import type { OptionTypeGraph, OptionTypeRow } from './option-types/option-types.definition';
import type { ProductPropertyRow } from './product-properties/product-properties.definition';
import { findProductPropertiesOfProducts } from './product-properties/product-properties.repository';
import type { ProductRow } from './product-queries/products.definition';
import { findTaxonsWithChildren, type TaxonWithChildren } from './taxon-tree/taxons.repository';
import { loadVariantGraphsOfProducts, type VariantGraph } from './variant-graph';

/** A product with its nested records. */
export interface ProductGraph {
  product: ProductRow;
  master: VariantGraph;
  /** By position; without the master and deleted variants. */
  variants: VariantGraph[];
  /** By their position in the product; with the values that its variants use. */
  option_types: OptionTypeGraph[];
  product_properties: ProductPropertyRow[];
  classifications: ClassificationGraph[];
}

/** A taxon of a product, with the 1-based position of the product in it. */
export interface ClassificationGraph {
  position: number;
  taxon: TaxonWithChildren;
}

/** A product with its option types by position, and its taxons by id. */
interface LinkedProductRow extends ProductRow {
  option_types: OptionTypeRow[];
  classified: { taxon_id: number; position: number }[];
}

/**
 * Loads these products with their nested records, in the order of `ids`. Unknown ids are skipped. Does not authorize:
 * deleted products are included. Takes five queries.
 */
export async function loadProductGraphs(db: Db, ids: readonly number[]): Promise<ProductGraph[]> {
  if (ids.length === 0) return [];
  const products = await findLinkedProducts(db, ids);
  const variants = groupBy(
    await loadVariantGraphsOfProducts(db, ids),
    ({ variant: { product_id } }) => product_id,
  );
  const properties = groupBy(await findProductPropertiesOfProducts(db, ids), (row) => row.product_id);
  const taxonIds = new Set(products.flatMap(({ classified }) => classified.map(({ taxon_id }) => taxon_id)));
  const taxons = new Map((await findTaxonsWithChildren(db, [...taxonIds])).map((taxon) => [taxon.id, taxon]));
  return products.map(({ option_types, classified, ...product }) => {
    const graphs = variants.get(product.id) ?? [];
    const master = graphs.find(({ variant }) => variant.is_master);
    if (master === undefined) throw new Error(`product ${product.id} has no master`);
    return {
      product,
      master,
      variants: graphs.filter((graph) => graph !== master),
      option_types: option_types.map((type) => ({ ...type, option_values: listUsedValues(type.id, graphs) })),
      product_properties: properties.get(product.id) ?? [],
      classifications: classified.flatMap(({ taxon_id, position }) => {
        const taxon = taxons.get(taxon_id);
        return taxon === undefined ? [] : [{ position, taxon }];
      }),
    };
  });
}

/** Returns the values of an option type that one of the variants has, by position. */
function listUsedValues(typeId: number, graphs: readonly VariantGraph[]): OptionTypeGraph['option_values'] {
  const used = graphs
    .flatMap(({ option_values }) => option_values)
    .filter(({ option_type_id }) => option_type_id === typeId);
  const distinct = new Map(used.map((value) => [value.id, value]));
  return [...distinct.values()].sort((a, b) => a.position - b.position || a.id - b.id);
}

async function findLinkedProducts(db: Db, ids: readonly number[]): Promise<LinkedProductRow[]> {
  const { rows } = await db.raw<{ rows: LinkedProductRow[] }>(
    `SELECT products.*,
       coalesce((SELECT json_agg(t ORDER BY links.position, t.id) FROM product_option_types AS links
                   JOIN option_types AS t ON t.id = links.option_type_id
                  WHERE links.product_id = products.id), '[]') AS option_types,
       coalesce((SELECT json_agg(c ORDER BY c.taxon_id) FROM classifications AS c
                  WHERE c.product_id = products.id), '[]') AS classified
     FROM products WHERE products.id = ANY(?)`,
    [[...ids]],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
