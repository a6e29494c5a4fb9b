import { hasRow } from '../../platform/database/has-row';
import type { Tx } from '../../platform/database/transaction';
import type { LockedId } from '../../platform/database/locked';
import type { Db } from '../../platform/database/knex';
import { createRecords } from '../../platform/resource/records';
import { ReturnReason, type ReturnReasonRow } from './return-authorization-reasons.definition';

export const returnReasonRecords = createRecords(ReturnReason);

/** Returns the reasons that a new return may use. */
export async function findOfferedReturnReasons(db: Db): Promise<ReturnReasonRow[]> {
  return db('return_authorization_reasons')
    .where({ active: true })
    .orderBy('id')
    .select<ReturnReasonRow[]>([...ReturnReason.columns]);
}

/** Returns whether a new return may use this reason. */
export async function isReturnReasonOffered(db: Db, id: number): Promise<boolean> {
  return hasRow(db('return_authorization_reasons').where({ id, active: true }).select('id'));
}

/** Returns whether any return uses this reason. The lock keeps new returns from using it. */
export async function hasReturns(tx: Tx, { id }: LockedId): Promise<boolean> {
  return hasRow(
    tx('return_authorizations')
      .where({ return_authorization_reason_id: id })
      .unionAll(tx('return_request_items').where({ return_authorization_reason_id: id }).select('id'))
      .select('id'),
  );
}
