import type { Ctx } from '../context';
import { InvalidResource } from '../../platform/errors';
import { withTransaction } from '../../platform/database/transaction';
import { hasReturns, returnReasonRecords as rows } from './return-authorization-reasons.repository';
import type { ReturnReasonRow } from './return-authorization-reasons.definition';
import { createUseCases } from '../../platform/resource/use-cases';
import type { UseCasesOf } from '../../platform/resource/use-cases';
import { ReturnReason } from './return-authorization-reasons.definition';

/** The use cases of return reasons. The list includes inactive ones. */
export const returnReasons: UseCasesOf<Ctx, typeof ReturnReason> = {
  ...createUseCases(ReturnReason, rows),

  /** Updates a reason and locks it. An immutable reason can be updated only if the request makes it mutable. */
  update: (ctx, id, changes) =>
    withTransaction(ctx, async (tx) => {
      const reason = await rows.lock(tx, id);
      if (changes.mutable !== true) refuseImmutable(reason, 'This reason cannot be changed');
      const values = ReturnReason.changedValues(changes);
      await rows.update(tx, id, values);
      return { ...reason, ...values };
    }),

  /** Deletes a reason and locks it. Refused if a return uses it; such a reason can be made inactive instead. */
  delete: (ctx, id) =>
    withTransaction(ctx, async (tx) => {
      const reason = await rows.lock(tx, id);
      refuseImmutable(reason, 'This reason cannot be deleted');
      if (await hasReturns(tx, reason)) {
        throw new InvalidResource({ base: ['Reasons of return authorizations cannot be deleted'] });
      }
      await rows.delete(tx, id, ctx.now());
    }),
};

function refuseImmutable(reason: ReturnReasonRow, message: string): void {
  if (!reason.mutable) throw new InvalidResource({ base: [message] });
}
