import { getUserRow } from '../../accounts/users/users.service';
import type { Ctx } from '../context';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import type { CreditCardRow } from '../order/order-graph';
import { findCreditCardPage } from '../payment-processing/credit-cards.repository';

/** Returns one page of a user's saved cards. @throws NotFound unless the actor is that user or an admin */
export async function listCreditCards(
  ctx: Ctx,
  userId: number,
  list: ListQuery,
): Promise<Page<CreditCardRow>> {
  await getUserRow(ctx, userId);
  return findCreditCardPage(ctx.db, list, userId);
}
