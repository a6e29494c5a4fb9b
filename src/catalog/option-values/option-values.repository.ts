import { hasRow } from '../../platform/database/has-row';
import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';
import { createRecords } from '../../platform/resource/records';
import { lockProductRows } from '../product-queries/products.repository';
import { OptionValue, type OptionValueRow } from './option-values.definition';

/** Deleting a value deletes its links to variants. */
export const optionValueRecords = createRecords(OptionValue);

/** Returns whether the option type exists. */
export async function hasOptionType(db: Db, id: number): Promise<boolean> {
  return hasRow(db('option_types').where({ id }).select('id'));
}

/** Returns whether a variant that is not deleted has the value. */
export async function hasVariants(tx: Tx, id: number): Promise<boolean> {
  return hasRow(
    tx('variant_option_values')
      .join('variants', 'variants.id', 'variant_option_values.variant_id')
      .where({ option_value_id: id })
      .whereNull('variants.deleted_at')
      .select('variants.id'),
  );
}

/** Returns the values of these types, by position. */
export async function findOptionValuesOfTypes(
  db: Db,
  optionTypeIds: readonly number[],
): Promise<OptionValueRow[]> {
  return optionValueRecords
    .select(db)
    .whereIn('option_values.option_type_id', optionTypeIds)
    .orderBy(['option_values.position', 'option_values.id']);
}

/** Returns those of the ids that are values of the type. */
export async function findOptionValueIdsOfType(
  tx: Tx,
  optionTypeId: number,
  ids: readonly number[],
): Promise<number[]> {
  return tx('option_values').where({ option_type_id: optionTypeId }).whereIn('id', ids).pluck<number[]>('id');
}

/** Returns the highest position among the values of the type, or 0. */
export async function findLastPosition(tx: Tx, optionTypeId: number): Promise<number> {
  const row: { last: number | null } | undefined = await tx('option_values')
    .where({ option_type_id: optionTypeId })
    .max<{ last: number | null }>({ last: 'position' })
    .first();
  return row?.last ?? 0;
}

/** Adds values to a type, in the order of the rows. */
export async function insertOptionValues(
  tx: Tx,
  optionTypeId: number,
  rows: readonly { name: string; presentation: string; position: number }[],
): Promise<void> {
  await tx('option_values').insert(rows.map((row) => ({ ...row, option_type_id: optionTypeId })));
}

/** Deletes values. Expects the products that lose them locked (`lockProductsWithValues`). */
export async function deleteOptionValues(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx('option_values').whereIn('id', ids).delete();
}

/** Locks the products whose variants have one of the values, by id. Changes of products lock these before the values. */
export async function lockProductsWithValues(tx: Tx, ids: readonly number[]): Promise<void> {
  const products = await tx('variant_option_values')
    .join('variants', 'variants.id', 'variant_option_values.variant_id')
    .whereIn('option_value_id', ids)
    .distinct()
    .pluck<number[]>('product_id');
  await lockProductRows(tx, products);
}

/** Locks the products that have an option type, by id. Changes of products lock these before the type. */
export async function lockProductsWithType(tx: Tx, id: number): Promise<void> {
  await lockProductRows(
    tx,
    await tx('product_option_types').where({ option_type_id: id }).pluck<number[]>('product_id'),
  );
}
