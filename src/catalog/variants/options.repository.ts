import type { Tx } from '../../platform/database/transaction';
import { MAX_INT4 } from '../../platform/int4';
import { requireUndeleted } from '../require-undeleted';

/** An option value and its type; null if it has none. */
export interface OptionLink {
  id: number;
  option_type_id: number | null;
}

/** Returns those of these values that exist. They cannot be deleted before the transaction ends. */
export async function findOptionLinks(tx: Tx, valueIds: readonly number[]): Promise<OptionLink[]> {
  const { rows } = await tx.raw<{ rows: OptionLink[] }>(
    'SELECT id, option_type_id FROM option_values WHERE id = ANY(?) ORDER BY id FOR KEY SHARE',
    [[...valueIds]],
  );
  return rows;
}

/** Returns the option values of these variants. */
export async function findOptionLinksOfVariants(
  tx: Tx,
  variantIds: readonly number[],
): Promise<(OptionLink & { variant_id: number })[]> {
  return tx('option_values')
    .join('variant_option_values', 'variant_option_values.option_value_id', 'option_values.id')
    .whereIn('variant_option_values.variant_id', variantIds)
    .select<(OptionLink & { variant_id: number })[]>(
      'option_values.id',
      'option_values.option_type_id',
      'variant_option_values.variant_id',
    );
}

/**
 * Returns the ids of the option types with these exact names, and creates missing ones in this order (presentation =
 * name). They cannot be deleted before the transaction ends.
 * @returns a look-up by name. @throws Conflict for a type that is being deleted
 */
export async function findOrCreateOptionTypes(
  tx: Tx,
  names: readonly string[],
): Promise<(name: string) => number> {
  const types = new Map<string, number>();
  const idOf = (name: string) => requireUndeleted(types.get(name), `option type ${name}`);
  if (names.length === 0) return idOf;
  await tx.raw(
    `INSERT INTO option_types (name, presentation, position)
     SELECT missing.name, missing.name, least(last.position + missing.rank, ${MAX_INT4})
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
  for (const { name, id } of rows) types.set(name, id);
  return idOf;
}

/** An option value identified by its type and name. */
export interface NamedValue {
  option_type_id: number;
  name: string;
}

/**
 * Returns the values with these exact names in their types, and appends missing ones to their types in this order
 * (presentation = name). They cannot be deleted before the transaction ends.
 * @returns a look-up of the values. @throws Conflict for a value that is being deleted
 */
export async function findOrCreateOptionValues(
  tx: Tx,
  wanted: readonly NamedValue[],
): Promise<(value: NamedValue) => NamedValue & { id: number }> {
  const keyOf = ({ option_type_id, name }: NamedValue) => `${option_type_id} ${name}`;
  const values = new Map<string, NamedValue & { id: number }>();
  const find = (value: NamedValue) =>
    requireUndeleted(values.get(keyOf(value)), `option value ${value.name}`);
  if (wanted.length === 0) return find;
  const bindings = {
    typeIds: wanted.map((value) => value.option_type_id),
    names: wanted.map((value) => value.name),
  };
  const given = 'unnest(CAST(:typeIds AS integer[]), CAST(:names AS text[]))';
  await tx.raw(
    `INSERT INTO option_values (option_type_id, name, presentation, position)
     SELECT missing.option_type_id, missing.name, missing.name, least(last.position + missing.rank, ${MAX_INT4})
     FROM (
       SELECT first.option_type_id, first.name,
         row_number() OVER (PARTITION BY first.option_type_id ORDER BY first.n) AS rank
       FROM (
         SELECT option_type_id, name, min(n) AS n FROM ${given} WITH ORDINALITY AS given (option_type_id, name, n)
         GROUP BY option_type_id, name
       ) AS first
       WHERE NOT EXISTS (
         SELECT FROM option_values AS known
         WHERE known.option_type_id = first.option_type_id AND known.name = first.name
       )
     ) AS missing
     CROSS JOIN LATERAL (
       SELECT COALESCE(max(position), 0) AS position FROM option_values
       WHERE option_values.option_type_id = missing.option_type_id
     ) AS last
     ORDER BY missing.option_type_id, missing.name
     ON CONFLICT ON CONSTRAINT option_values_name_unique DO NOTHING`,
    bindings,
  );
  const { rows } = await tx.raw<{ rows: (NamedValue & { id: number })[] }>(
    `SELECT id, option_type_id, name FROM option_values
     WHERE (option_type_id, name) IN (SELECT * FROM ${given}) ORDER BY id FOR KEY SHARE`,
    bindings,
  );
  for (const row of rows) values.set(keyOf(row), row);
  return find;
}

/** Replaces the option values of each of these variants. */
export async function replaceOptionValues(
  tx: Tx,
  variants: readonly { id: number; value_ids: readonly number[] }[],
): Promise<void> {
  const bindings = {
    ids: variants.map(({ id }) => id),
    variantIds: variants.flatMap(({ id, value_ids }) => value_ids.map(() => id)),
    valueIds: variants.flatMap(({ value_ids }) => value_ids),
  };
  const given =
    'unnest(CAST(:variantIds AS integer[]), CAST(:valueIds AS integer[])) AS given (variant_id, value_id)';
  await tx.raw(
    `DELETE FROM variant_option_values WHERE variant_id = ANY(:ids)
     AND (variant_id, option_value_id) NOT IN (SELECT variant_id, value_id FROM ${given})`,
    bindings,
  );
  await tx.raw(
    `INSERT INTO variant_option_values (variant_id, option_value_id) SELECT variant_id, value_id FROM ${given}
     ON CONFLICT ON CONSTRAINT variant_option_values_pkey DO NOTHING`,
    bindings,
  );
}

/** Appends option types to a product. Existing ones keep their position. */
export async function addOptionTypesToProduct(
  tx: Tx,
  productId: number,
  typeIds: readonly number[],
): Promise<void> {
  await addOptionTypesToProducts(tx, typeIds.map((type_id) => ({ product_id: productId, type_id }))); // prettier-ignore
}

/** Appends option types to products, in this order. Existing ones keep their position. One statement. */
export async function addOptionTypesToProducts(
  tx: Tx,
  links: readonly { product_id: number; type_id: number }[],
): Promise<void> {
  if (links.length === 0) return;
  await tx.raw(
    `INSERT INTO product_option_types (product_id, option_type_id, position)
     SELECT given.product_id, given.type_id,
            COALESCE((SELECT max(position) FROM product_option_types AS own WHERE own.product_id = given.product_id), 0)
              + row_number() OVER (PARTITION BY given.product_id ORDER BY given.n)
     FROM unnest(CAST(:products AS integer[]), CAST(:types AS integer[])) WITH ORDINALITY
       AS given (product_id, type_id, n)
     ON CONFLICT ON CONSTRAINT product_option_types_pkey DO NOTHING`,
    { products: links.map((link) => link.product_id), types: links.map((link) => link.type_id) },
  );
}

/** Replaces the option types of a product, in this order. */
export async function replaceOptionTypesOfProduct(
  tx: Tx,
  productId: number,
  typeIds: readonly number[],
): Promise<void> {
  await tx('product_option_types').where({ product_id: productId }).delete();
  await addOptionTypesToProduct(tx, productId, typeIds);
}
