import { constraintErrors } from '../../error-handler';
import { Conflict, InvalidResource } from '../../errors';
import type { Tx } from '../../platform/database/transaction';
import { replaceTaxonsOfProduct } from '../classifications/classifications.service';
import { applyProductProperties } from '../product-properties/product-properties.service';
import {
  addOptionTypesToProduct,
  findOrCreateOptionTypes,
  replaceOptionTypesOfProduct,
} from '../variants/options.repository';
import { addVariant, changeVariant } from '../variants/variant-changes';
import { findLiveVariant } from '../variants/variants.repository';
import type { NestedVariant } from '../variants/variants.schema';
import type { ProductAttributes } from './products.schema';

type Parts = Pick<
  ProductAttributes,
  'option_type_ids' | 'option_types' | 'variants' | 'product_properties_attributes' | 'taxon_ids'
>;

/**
 * Applies what a product's body carries beside its own fields (behaviour reference 5.3), inside the product's
 * transaction. What is missing stays as it is.
 * @throws InvalidResource, with keys such as `variants.sku` for what is wrong inside a nested record
 */
export async function applyParts(tx: Tx, productId: number, parts: Parts): Promise<void> {
  if (parts.option_type_ids !== undefined) {
    await replaceOptionTypesOfProduct(tx, productId, parts.option_type_ids ?? []);
  }
  await addNamedOptionTypes(tx, productId, parts.option_types ?? []);
  for (const variant of parts.variants ?? []) await applyVariant(tx, productId, variant);
  await applyProductProperties(tx, productId, parts.product_properties_attributes ?? []);
  if (parts.taxon_ids !== undefined) await replaceTaxonsOfProduct(tx, productId, parts.taxon_ids ?? []);
}

async function addNamedOptionTypes(tx: Tx, productId: number, names: readonly string[]): Promise<void> {
  const types = await findOrCreateOptionTypes(tx, names);
  const ids = names.map((name) => {
    const id = types.get(name);
    if (id === undefined) throw new Conflict(`option type ${name} is being deleted`);
    return id;
  });
  await addOptionTypesToProduct(tx, productId, ids);
}

/** A row with `id` changes that variant of the product, one without makes a new variant. */
async function applyVariant(tx: Tx, productId: number, row: NestedVariant): Promise<void> {
  try {
    if (row.id == null) {
      await addVariant(tx, productId, row);
      return;
    }
    const variant = await findLiveVariant(tx, productId, row.id);
    if (variant === undefined) throw new InvalidResource({ id: ['is invalid'] });
    await changeVariant(tx, variant, row);
  } catch (error) {
    throw insideVariants(error);
  }
}

/** The same refusal, told of the nested record it comes from. */
function insideVariants(error: unknown): unknown {
  const errors = error instanceof InvalidResource ? error.errors : constraintErrors(error);
  if (errors === null) return error;
  return new InvalidResource(
    Object.fromEntries(Object.entries(errors).map(([field, told]) => [`variants.${field}`, told])),
  );
}
