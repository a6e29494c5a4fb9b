import type { Db } from '../../platform/database/knex';
import { requireRow } from '../../platform/database/require-row';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters, applySort } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { buildPage, type Page } from '../../platform/query-builder/page';
import { createRecords } from '../../platform/resource/records';
import { NEXT_POSITION } from '../append-positions.repository';
import { OptionType, type OptionTypeRow } from './option-types.definition';

/** Deleting a type deletes its values and its links to products and variants. */
export const optionTypeRecords = createRecords(OptionType);

/** Returns option types by position: all of them unless a page is requested. */
export async function findOptionTypePage(db: Db, list: ListQuery): Promise<Page<OptionTypeRow>> {
  if (list.isPaged) return optionTypeRecords.findPage(db, list);
  const matching = applyFilters(db('option_types'), list, OptionType.search);
  const rows = await applySort(
    matching.select<OptionTypeRow[]>([...OptionType.columns]),
    list,
    OptionType.search,
  );
  return buildPage(rows, rows.length, list);
}

/** Inserts an option type, last unless it has a position. @returns the new id. @throws option_types_name_unique */
export async function insertOptionType(
  tx: Tx,
  type: ReturnType<typeof OptionType.newValues>,
): Promise<number> {
  const last = tx('option_types').select(tx.raw(NEXT_POSITION));
  const rows = await tx('option_types')
    .insert({ ...type, position: type.position ?? last })
    .returning<{ id: number }[]>('id');
  return requireRow(rows).id;
}
