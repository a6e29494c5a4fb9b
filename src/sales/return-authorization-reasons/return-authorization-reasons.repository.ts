import type { Db } from '../../platform/database/knex';
import { returnedRow } from '../../platform/database/returned-row';
import type { Tx } from '../../platform/database/transaction';
import { applyFilters, applySortAndPage } from '../../platform/query-builder/apply-search';
import type { ListQuery } from '../../platform/query-builder/list-query';
import { countAll, pageOf, type Page } from '../../platform/query-builder/page';
import { returnReasonSearch } from './return-authorization-reasons.search';

export interface ReturnReasonRow {
  id: number;
  name: string;
  /** Whether new returns may give it. */
  active: boolean;
  /** Whether it may be changed and deleted. */
  mutable: boolean;
}

const COLUMNS = ['id', 'name', 'active', 'mutable'] as const;

/** One page of them all, inactive ones too. */
export async function findReturnReasonPage(db: Db, list: ListQuery): Promise<Page<ReturnReasonRow>> {
  const matching = applyFilters(db('return_authorization_reasons'), list, returnReasonSearch);
  const rows = await applySortAndPage(
    matching.clone().select<ReturnReasonRow[]>(COLUMNS),
    list,
    returnReasonSearch,
  );
  return pageOf(rows, await countAll(matching, rows.length, list), list);
}

/** Inactive ones too. */
export async function findReturnReason(db: Db, id: number): Promise<ReturnReasonRow | undefined> {
  return db('return_authorization_reasons')
    .where({ id })
    .first<ReturnReasonRow | undefined>([...COLUMNS]);
}

/** The reasons that a new return may give. */
export async function findOfferedReturnReasons(db: Db): Promise<ReturnReasonRow[]> {
  return db('return_authorization_reasons')
    .where({ active: true })
    .orderBy('id')
    .select<ReturnReasonRow[]>(COLUMNS);
}

/** Whether a new return may give that reason. */
export async function isReturnReasonOffered(db: Db, id: number): Promise<boolean> {
  const reason = await db('return_authorization_reasons')
    .where({ id, active: true })
    .first<{ id: number } | undefined>('id');
  return reason !== undefined;
}

/** As `findReturnReason`, and no return can begin to give it before the transaction ends. */
export async function lockReturnReason(tx: Tx, id: number): Promise<ReturnReasonRow | undefined> {
  return tx('return_authorization_reasons')
    .where({ id })
    .forUpdate()
    .first<ReturnReasonRow | undefined>([...COLUMNS]);
}

/** @throws return_authorization_reasons_name_unique when the name is taken in any letter case */
export async function insertReturnReason(
  tx: Tx,
  reason: Omit<ReturnReasonRow, 'id'>,
): Promise<ReturnReasonRow> {
  const rows = await tx('return_authorization_reasons')
    .insert(reason)
    .returning<ReturnReasonRow[]>([...COLUMNS]);
  return returnedRow(rows);
}

/** @throws return_authorization_reasons_name_unique when the name is taken in any letter case */
export async function updateReturnReason(
  tx: Tx,
  id: number,
  patch: Partial<Omit<ReturnReasonRow, 'id'>>,
): Promise<void> {
  if (Object.keys(patch).length > 0) await tx('return_authorization_reasons').where({ id }).update(patch);
}

/** Whether a return was ever made for this reason. */
export async function hasReturns(db: Db, id: number): Promise<boolean> {
  const found = await db('return_authorizations')
    .where({ return_authorization_reason_id: id })
    .first<{ id: number } | undefined>('id');
  return found !== undefined;
}

/** Expects it locked, and given by no return. */
export async function deleteReturnReason(tx: Tx, id: number): Promise<void> {
  await tx('return_authorization_reasons').where({ id }).delete();
}
