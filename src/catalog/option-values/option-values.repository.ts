import type { Db } from '../../platform/database/knex';
import { requireRow } from '../../platform/database/require-row';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters, applySort, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, buildPage, type Page } from '../../platform/query-builder/page';
import type { ValuesOf } from '../../platform/resource/definition';
import { createRecords } from '../../platform/resource/records';
import { NEXT_POSITION } from '../append-positions.repository';
import { OptionValue, type OptionValueRow } from './option-values.definition';

type OptionValueColumns = ValuesOf<typeof OptionValue>;

/** Deleting a value deletes its links to variants. */
export const optionValueRecords = createRecords(OptionValue);

/** Builds the query of option values with the names of their types. */
function queryOptionValues(db: Db) {
  return db('option_values')
    .leftJoin('option_types', 'option_types.id', 'option_values.option_type_id')
    .select<OptionValueRow[]>(...OptionValue.columns, {
      option_type_name: 'option_types.name',
      option_type_presentation: 'option_types.presentation',
    });
}

/** Returns the values of one type, or of all types for null: the whole list unless a page is requested. */
export async function findOptionValuePage(
  db: Db,
  list: ListQuery,
  optionTypeId: number | null,
): Promise<Page<OptionValueRow>> {
  const matching = applyFilters(queryOptionValues(db), list, OptionValue.search);
  if (optionTypeId !== null) void matching.where('option_values.option_type_id', optionTypeId);
  const order = list.isPaged ? applySortAndPage : applySort;
  const rows = await order(matching.clone(), list, OptionValue.search);
  return buildPage(rows, list.isPaged ? await countAll(matching, rows.length, list) : rows.length, list);
}

/** Returns the value if it belongs to the given type; null means any type. */
export async function findOptionValue(
  db: Db,
  id: number,
  optionTypeId: number | null = null,
): Promise<OptionValueRow | undefined> {
  const query = queryOptionValues(db).where('option_values.id', id);
  if (optionTypeId !== null) void query.where('option_values.option_type_id', optionTypeId);
  return query.first();
}

/** Returns whether the option type exists. */
export async function hasOptionType(db: Db, id: number): Promise<boolean> {
  return (await db('option_types').where({ id }).first('id')) !== undefined;
}

/** Returns the values of these types, by position. */
export async function findOptionValuesOfTypes(
  db: Db,
  optionTypeIds: readonly number[],
): Promise<OptionValueRow[]> {
  return queryOptionValues(db)
    .whereIn('option_values.option_type_id', optionTypeIds)
    .orderBy(['option_values.position', 'option_values.id']);
}

/** Inserts a value, last in its type unless it has a position. @returns the new id */
export async function insertOptionValue(
  tx: Tx,
  value: ReturnType<typeof OptionValue.newValues>,
): Promise<number> {
  const last = tx('option_values')
    .where('option_type_id', value.option_type_id)
    .select(tx.raw(NEXT_POSITION));
  const rows = await tx('option_values')
    .insert({ ...value, position: value.position ?? last })
    .returning<{ id: number }[]>('id');
  return requireRow(rows).id;
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
  await tx.raw(
    `INSERT INTO option_values (option_type_id, name, presentation, position)
     SELECT ?, name, presentation, position
     FROM ROWS FROM (jsonb_to_recordset(?) AS (name text, presentation text, position integer))
       WITH ORDINALITY AS given (name, presentation, position, n) ORDER BY n`,
    [optionTypeId, JSON.stringify(rows)],
  );
}

/** Updates the given columns of each value, in one statement. */
export async function updateOptionValues(
  tx: Tx,
  rows: readonly { id: number; patch: Partial<OptionValueColumns> }[],
): Promise<void> {
  await tx.raw(
    `UPDATE option_values SET (name, presentation, position) =
       (SELECT name, presentation, position FROM jsonb_populate_record(option_values, given.patch))
     FROM jsonb_to_recordset(?) AS given (id integer, patch jsonb) WHERE option_values.id = given.id`,
    [JSON.stringify(rows)],
  );
}

export async function deleteOptionValues(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx('option_values').whereIn('id', ids).delete();
}
