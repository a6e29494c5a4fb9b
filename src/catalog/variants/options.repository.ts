import { Conflict } from '../../errors';
import type { Tx } from '../../platform/database/transaction';

/** An option value and the type it belongs to; null for a loose one. */
export interface OptionLink {
  id: number;
  option_type_id: number | null;
}

/** Those of these values that exist. They cannot be deleted before the transaction ends. */
export async function findOptionLinks(tx: Tx, valueIds: readonly number[]): Promise<OptionLink[]> {
  const { rows } = await tx.raw<{ rows: OptionLink[] }>(
    'SELECT id, option_type_id FROM option_values WHERE id = ANY(?) ORDER BY id FOR KEY SHARE',
    [[...valueIds]],
  );
  return rows;
}

/** The values a variant has. */
export async function findOptionLinksOfVariant(tx: Tx, variantId: number): Promise<OptionLink[]> {
  return tx('option_values')
    .join('variant_option_values', 'variant_option_values.option_value_id', 'option_values.id')
    .where('variant_option_values.variant_id', variantId)
    .select<OptionLink[]>('option_values.id', 'option_values.option_type_id');
}

/**
 * The ids of the option types of these exact names, made in their order where missing (presentation = name). They
 * cannot be deleted before the transaction ends; one that was deleted at this very moment is absent.
 */
export async function findOrCreateOptionTypes(
  tx: Tx,
  names: readonly string[],
): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  await tx.raw(
    `INSERT INTO option_types (name, presentation, position)
     SELECT missing.name, missing.name, least(last.position + missing.rank, 2147483647)
     FROM (
       SELECT given.name, row_number() OVER (ORDER BY given.n) AS rank
       FROM unnest(CAST(? AS text[])) WITH ORDINALITY AS given (name, n)
       WHERE NOT EXISTS (SELECT FROM option_types WHERE option_types.name = given.name)
     ) AS missing,
     (SELECT COALESCE(max(position), 0) AS position FROM option_types) AS last
     ORDER BY missing.name
     ON CONFLICT ON CONSTRAINT option_types_name_unique DO NOTHING`,
    [[...new Set(names)]],
  );
  const { rows } = await tx.raw<{ rows: { id: number; name: string }[] }>(
    'SELECT id, name FROM option_types WHERE name = ANY(?) ORDER BY id FOR KEY SHARE',
    [[...names]],
  );
  return new Map(rows.map((row) => [row.name, row.id]));
}

/**
 * The value of this exact name in the type, made at its end when missing (presentation = name).
 * @throws Conflict when it was deleted at this very moment
 */
export async function findOrCreateOptionValue(tx: Tx, typeId: number, name: string): Promise<OptionLink> {
  await tx.raw(
    `INSERT INTO option_values (option_type_id, name, presentation, position)
     SELECT :typeId, :name, :name,
       (SELECT least(COALESCE(max(position), 0) + 1::bigint, 2147483647) FROM option_values WHERE option_type_id = :typeId)
     WHERE NOT EXISTS (SELECT FROM option_values WHERE option_type_id = :typeId AND name = :name)
     ON CONFLICT ON CONSTRAINT option_values_name_unique DO NOTHING`,
    { typeId, name },
  );
  const { rows } = await tx.raw<{ rows: OptionLink[] }>(
    'SELECT id, option_type_id FROM option_values WHERE option_type_id = ? AND name = ? FOR KEY SHARE',
    [typeId, name],
  );
  const [value] = rows;
  if (value === undefined) throw new Conflict(`option value ${name} is being deleted`);
  return value;
}

export async function replaceOptionValues(
  tx: Tx,
  variantId: number,
  valueIds: readonly number[],
): Promise<void> {
  await tx('variant_option_values')
    .where({ variant_id: variantId })
    .whereNotIn('option_value_id', valueIds)
    .delete();
  await tx.raw(
    `INSERT INTO variant_option_values (variant_id, option_value_id)
     SELECT ?, given.id FROM unnest(CAST(? AS integer[])) AS given (id)
     ON CONFLICT ON CONSTRAINT variant_option_values_pkey DO NOTHING`,
    [variantId, [...valueIds]],
  );
}

/** Adds option types to a product, after those it has; the ones it has keep their place. */
export async function addOptionTypesToProduct(
  tx: Tx,
  productId: number,
  typeIds: readonly number[],
): Promise<void> {
  if (typeIds.length === 0) return;
  await tx.raw(
    `INSERT INTO product_option_types (product_id, option_type_id, position)
     SELECT :productId, given.id, last.position + given.n
     FROM unnest(CAST(:typeIds AS integer[])) WITH ORDINALITY AS given (id, n),
       (SELECT COALESCE(max(position), 0) AS position FROM product_option_types WHERE product_id = :productId) AS last
     ON CONFLICT ON CONSTRAINT product_option_types_pkey DO NOTHING`,
    { productId, typeIds: [...typeIds] },
  );
}

/** Gives the product exactly these option types, in this order. */
export async function replaceOptionTypesOfProduct(
  tx: Tx,
  productId: number,
  typeIds: readonly number[],
): Promise<void> {
  await tx('product_option_types').where({ product_id: productId }).delete();
  await addOptionTypesToProduct(tx, productId, typeIds);
}
