import type { Db } from '../../platform/database/knex';

/** How a row names a variant: by `sku`, or by id if the SKU is blank. */
export interface VariantName {
  sku?: string | null | undefined;
  variant_id?: number | null | undefined;
}

/** A variant that a row names. */
export interface NamedVariant {
  id: number;
  product_id: number;
  sku: string;
}

/**
 * Finds the variants that rows name, masters included and deleted ones excluded. One statement.
 * @returns a function that returns the variant of a name; undefined if there is none
 */
export async function findNamedVariants(
  db: Db,
  names: readonly VariantName[],
): Promise<(name: VariantName) => NamedVariant | undefined> {
  const skus = names.flatMap(({ sku }) => (sku == null || sku === '' ? [] : sku));
  const ids = names.flatMap(({ sku, variant_id }) => (sku == null || sku === '' ? (variant_id ?? []) : []));
  const { rows } = await db.raw<{ rows: NamedVariant[] }>(
    `SELECT id, product_id, sku FROM variants WHERE sku = ANY(?) AND sku <> '' AND deleted_at IS NULL
      UNION SELECT id, product_id, sku FROM variants WHERE id = ANY(?) AND deleted_at IS NULL`,
    [skus, ids],
  );
  const bySku = new Map(rows.filter(({ sku }) => sku !== '').map((row) => [row.sku, row]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ({ sku, variant_id }) => (sku == null || sku === '' ? byId.get(variant_id ?? 0) : bySku.get(sku));
}

/** The error of a row whose name finds no variant. */
export function buildUnknownVariant({ sku, variant_id }: VariantName): Record<string, string[]> {
  if (sku != null && sku !== '') return { sku: ['does not exist'] };
  return variant_id == null ? { sku: ["can't be blank"] } : { variant_id: ['does not exist'] };
}
