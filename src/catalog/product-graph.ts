import type { Db } from '../platform/database/knex';
import { groupBy } from '../platform/group-by';
import { loadOptions, type OptionTypeWithValues } from './option-dictionary.repository';
import {
  findProductPropertiesOfProducts,
  type ProductPropertyRow,
} from './product-properties/product-properties.repository';
import type { ProductRow } from './product-queries/products.definition';
import { findTaxonsWithChildren, type TaxonWithChildren } from './taxon-tree/taxons.repository';
import {
  findVariantDetailsOfProducts,
  loadImages,
  buildVariantGraph,
  type VariantDetailRow,
  type VariantGraph,
  type VariantParts,
} from './variant-graph';

/** A product with its nested records. */
export interface ProductGraph {
  product: ProductRow;
  master: VariantGraph;
  /** By position; without the master and deleted variants. */
  variants: VariantGraph[];
  /** By their position in the product; with the values that its variants use. */
  option_types: OptionTypeWithValues[];
  product_properties: ProductPropertyRow[];
  classifications: ClassificationGraph[];
}

/** A taxon of a product, with the 1-based position of the product in it. */
export interface ClassificationGraph {
  position: number;
  taxon: TaxonWithChildren;
}

/** A product with the ids of its option types and taxons. */
interface LinkedProductRow extends ProductRow {
  option_type_ids: number[];
  taxon_ids: number[];
  taxon_positions: number[];
}

/**
 * Loads these products with their nested records, in the order of `ids`. Unknown ids are skipped. Does not authorize:
 * deleted products are included. Takes seven queries.
 */
export async function loadProductGraphs(db: Db, ids: readonly number[]): Promise<ProductGraph[]> {
  if (ids.length === 0) return [];
  const products = await findLinkedProducts(db, ids);
  const variants = await findVariantDetailsOfProducts(db, ids);
  const options = await loadOptions(
    db,
    removeDuplicates(products.flatMap((product) => product.option_type_ids)),
    removeDuplicates(variants.flatMap((variant) => variant.option_value_ids)),
  );
  const images = await loadImages(db, variants);
  const properties = groupBy(await findProductPropertiesOfProducts(db, ids), (row) => row.product_id);
  const taxons = await findTaxonsWithChildren(
    db,
    removeDuplicates(products.flatMap((product) => product.taxon_ids)),
  );
  const taxonsById = new Map(taxons.map((taxon) => [taxon.id, taxon]));
  const variantsByProduct = groupBy(variants, (variant) => variant.product_id);

  return products.map((product) => ({
    product,
    ...buildVariants(product, variantsByProduct.get(product.id) ?? [], { options, images }),
    option_types: product.option_type_ids
      .flatMap((id) => options.types.get(id) ?? [])
      .map(keepUsedValues(variantsByProduct.get(product.id) ?? [])),
    product_properties: properties.get(product.id) ?? [],
    classifications: buildClassifications(product, taxonsById),
  }));
}

/** Leaves out the values that none of the variants uses. */
function keepUsedValues(variants: readonly VariantDetailRow[]) {
  const used = new Set(variants.flatMap((variant) => variant.option_value_ids));
  return (type: OptionTypeWithValues): OptionTypeWithValues => ({
    ...type,
    option_values: type.option_values.filter(({ id }) => used.has(id)),
  });
}

async function findLinkedProducts(db: Db, ids: readonly number[]): Promise<LinkedProductRow[]> {
  const { rows } = await db.raw<{ rows: LinkedProductRow[] }>(
    `SELECT products.*,
       ARRAY(SELECT option_type_id FROM product_option_types WHERE product_id = products.id
             ORDER BY position, option_type_id) AS option_type_ids,
       ARRAY(SELECT taxon_id FROM classifications WHERE product_id = products.id ORDER BY taxon_id) AS taxon_ids,
       ARRAY(SELECT position FROM classifications WHERE product_id = products.id ORDER BY taxon_id) AS taxon_positions
     FROM products WHERE products.id = ANY(?)`,
    [[...ids]],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function buildVariants(
  product: ProductRow,
  details: readonly VariantDetailRow[],
  parts: VariantParts,
): { master: VariantGraph; variants: VariantGraph[] } {
  const graphs = details.map((variant) => buildVariantGraph(variant, product, parts));
  const master = graphs.find((graph) => graph.variant.is_master);
  if (master === undefined) throw new Error(`product ${product.id} has no master`);
  return { master, variants: graphs.filter((graph) => graph !== master) };
}

function buildClassifications(
  product: LinkedProductRow,
  taxons: ReadonlyMap<number, TaxonWithChildren>,
): ClassificationGraph[] {
  return product.taxon_ids.flatMap((id, index) => {
    const taxon = taxons.get(id);
    const position = product.taxon_positions[index];
    return taxon === undefined || position === undefined ? [] : [{ position, taxon }];
  });
}

function removeDuplicates(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}
