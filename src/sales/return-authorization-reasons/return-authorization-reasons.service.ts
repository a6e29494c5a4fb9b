import type { Ctx } from '../context';
import { InvalidResource, NotFound } from '../../platform/errors';
import { withTransaction, type Tx } from '../../platform/database/transaction';
import { defined } from '../../platform/defined';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import {
  deleteReturnReason,
  findReturnReason,
  findReturnReasonPage,
  hasReturns,
  insertReturnReason,
  lockReturnReason,
  updateReturnReason,
  type ReturnReasonRow,
} from './return-authorization-reasons.repository';
import type { ReturnReasonAttributes, ReturnReasonChanges } from './return-authorization-reasons.schema';

/** All reasons, inactive ones too. */
export async function listReturnReasons(ctx: Ctx, list: ListQuery): Promise<Page<ReturnReasonRow>> {
  return findReturnReasonPage(ctx.db, list);
}

/** @throws NotFound */
export async function getReturnReason(ctx: Ctx, id: number): Promise<ReturnReasonRow> {
  const reason = await findReturnReason(ctx.db, id);
  if (reason === undefined) throw new NotFound();
  return reason;
}

/** @throws InvalidResource when the name is taken, in any letter case */
export async function createReturnReason(
  ctx: Ctx,
  attributes: ReturnReasonAttributes,
): Promise<ReturnReasonRow> {
  const { name, active, mutable } = attributes;
  return withTransaction(ctx, (tx) =>
    insertReturnReason(tx, { name, active: active ?? true, mutable: mutable ?? true }),
  );
}

/**
 * Changes a reason; returns that gave it show it as it is now. One that is not mutable changes only together with
 * becoming mutable. Locks it.
 * @throws NotFound; InvalidResource
 */
export async function changeReturnReason(
  ctx: Ctx,
  id: number,
  changes: ReturnReasonChanges,
): Promise<ReturnReasonRow> {
  return withTransaction(ctx, async (tx) => {
    const reason = await mustLock(tx, id);
    const { name } = changes;
    const [active, mutable] = [changes.active ?? undefined, changes.mutable ?? undefined];
    if (mutable !== true) refuseImmutable(reason, 'This reason cannot be changed');
    const patch = defined({ name, active, mutable });
    await updateReturnReason(tx, id, patch);
    return { ...reason, ...patch };
  });
}

/**
 * Removes a reason no return has given; one that has been given can be made inactive instead. Locks it.
 * @throws NotFound; InvalidResource
 */
export async function removeReturnReason(ctx: Ctx, id: number): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    const reason = await mustLock(tx, id);
    refuseImmutable(reason, 'This reason cannot be deleted');
    if (await hasReturns(tx, id)) {
      throw new InvalidResource({ base: ['Reasons of return authorizations cannot be deleted'] });
    }
    await deleteReturnReason(tx, id);
  });
}

async function mustLock(tx: Tx, id: number): Promise<ReturnReasonRow> {
  const reason = await lockReturnReason(tx, id);
  if (reason === undefined) throw new NotFound();
  return reason;
}

function refuseImmutable(reason: ReturnReasonRow, message: string): void {
  if (!reason.mutable) throw new InvalidResource({ base: [message] });
}
