import { withPrefixedErrors } from '../../errors/constraint-errors';
import type { Tx } from '../../platform/database/transaction';
import type { VariantStock } from '../context';
import { replaceTaxonsOfProduct } from '../classifications/classifications.service';
import { applyProductProperties } from '../product-properties/product-properties.service';
import {
  addOptionTypesToProduct,
  findOrCreateOptionTypes,
  replaceOptionTypesOfProduct,
} from '../variants/options.repository';
import { addVariants, updateVariants } from '../variants/variant-changes';
import type { NestedVariant } from '../variants/variants.schema';
import type { ProductAttributes } from './products.schema';

type Parts = Pick<
  ProductAttributes,
  'option_type_ids' | 'option_types' | 'variants' | 'product_properties_attributes' | 'taxon_ids'
>;

/**
 * Applies the nested records in the body of a product, in the transaction that writes the
 * product. Absent keys change nothing.
 * @throws InvalidResource, with keys such as `variants.sku` for errors in nested records
 */
export async function applyParts(
  tx: Tx,
  stock: VariantStock,
  productId: number,
  parts: Parts,
): Promise<void> {
  if (parts.option_type_ids !== undefined) {
    await replaceOptionTypesOfProduct(tx, productId, parts.option_type_ids ?? []);
  }
  const names = parts.option_types ?? [];
  await addOptionTypesToProduct(tx, productId, names.map(await findOrCreateOptionTypes(tx, names)));
  await applyVariants(tx, stock, productId, parts.variants ?? []);
  await applyProductProperties(tx, productId, parts.product_properties_attributes ?? []);
  if (parts.taxon_ids !== undefined) await replaceTaxonsOfProduct(tx, productId, parts.taxon_ids ?? []);
}

/** Updates the variants of the rows with `id`, and creates variants from the other rows. */
async function applyVariants(
  tx: Tx,
  stock: VariantStock,
  productId: number,
  rows: readonly NestedVariant[],
): Promise<void> {
  const changes = rows.flatMap((row) => (row.id == null ? [] : [{ ...row, id: row.id }]));
  const additions = rows.filter((row) => row.id == null);
  await withPrefixedErrors('variants', async () => {
    await updateVariants(tx, productId, changes);
    await addVariants(tx, stock, productId, additions);
  });
}
