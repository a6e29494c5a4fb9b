import type { Db } from '../../platform/database/knex';
import { returnedRow } from '../../platform/database/returned-row';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters, applySort, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, pageOf, type Page } from '../../platform/query-builder/page';
import { NEXT_POSITION } from '../append-positions';
import { optionTypeSearch } from './option-types.search';

export interface OptionTypeRow {
  id: number;
  name: string;
  presentation: string;
  position: number;
}

/** Option types in list order; the whole list when no page was asked for. */
export async function findOptionTypePage(db: Db, list: ListQuery): Promise<Page<OptionTypeRow>> {
  const matching = applyFilters(db<OptionTypeRow>('option_types'), list, optionTypeSearch);
  const order = list.paged ? applySortAndPage : applySort;
  const rows = await order(matching.clone().select('option_types.*'), list, optionTypeSearch);
  return pageOf(rows, list.paged ? await countAll(matching, rows.length, list) : rows.length, list);
}

/** The type without its values. */
export async function findOptionType(db: Db, id: number): Promise<OptionTypeRow | undefined> {
  return db<OptionTypeRow>('option_types').where({ id }).first();
}

export interface NewOptionType {
  name: string;
  presentation: string;
  /** Appended when left out. */
  position?: number | null | undefined;
}

/** @returns the new id */
export async function insertOptionType(tx: Tx, type: NewOptionType): Promise<number> {
  const last = tx('option_types').select(tx.raw(NEXT_POSITION));
  const rows = await tx('option_types')
    .insert({ ...type, position: type.position ?? last })
    .returning<{ id: number }[]>('id');
  return returnedRow(rows).id;
}

/** Writes the columns that are named. @throws option_types_name_unique */
export async function updateOptionType(
  tx: Tx,
  id: number,
  patch: Partial<Omit<OptionTypeRow, 'id'>>,
): Promise<void> {
  if (Object.keys(patch).length > 0) await tx('option_types').where({ id }).update(patch);
}

/** Takes its values and its links to products and variants with it. */
export async function deleteOptionType(tx: Tx, id: number): Promise<number> {
  return tx('option_types').where({ id }).delete();
}
