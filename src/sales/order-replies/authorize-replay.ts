import type { Ctx } from '../../access/context';
import type { Access } from '../../access/access';
import { canUseAccount } from '../../access/authorization';
import { isOrderPath } from '../../access/failed-order-tokens';
import { NotAuthorized, NotFound } from '../../platform/errors';
import type { Application } from '../../platform/http/application';
import { isRecord } from '../../platform/parameters';
import { findOrderNumber } from '../payment-processing/payments.repository';
import { getAuthorizedOrder } from '../order/order-access';

/**
 * Authorizes a caller for the account, the order or the payment that a kept reply is about. The creation of a guest's order is
 * identified by nothing but a key and an address; its reply is given while the token in it opens the order, which ends when the
 * order gets an owner.
 * @throws NotAuthorized, also if the order is gone
 */
export const authorizeReplay: Application<Ctx, Access>['authorizeReplay'] = async (
  ctx,
  { path, route, access },
  { reply, pathParameter },
) => {
  if (reply.body === null || reply.status >= 400) return;
  const account = /^\/users\/:(id|user_id)(\/|$)/.exec(path)?.[1];
  if (account !== undefined) {
    if (!canUseAccount(ctx.actor, { user_id: Number(pathParameter(account)) })) throw new NotAuthorized();
    return;
  }
  const isCreation = route === 'post /orders';
  // The actions of buyers that name their payment alone.
  const isOfPayment = access === 'order' && path.startsWith('/payments/:id/');
  if (!isCreation && !isOfPayment && !isOrderPath(path)) return;
  const created: unknown = isCreation ? JSON.parse(reply.body) : null;
  const number = isRecord(created)
    ? created['number']
    : isOfPayment
      ? await findOrderNumber(ctx.db, pathParameter('id') ?? '')
      : pathParameter('number');
  const token = isRecord(created) && ctx.actor.kind === 'guest' ? created['token'] : ctx.orderToken;
  if (typeof number !== 'string') throw new NotAuthorized();
  try {
    await getAuthorizedOrder({ ...ctx, orderToken: typeof token === 'string' ? token : null }, number);
  } catch (error) {
    throw error instanceof NotFound ? new NotAuthorized() : error;
  }
};
