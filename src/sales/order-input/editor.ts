import type { OrderCredentials } from '../../access/context';
import { notifyOrders, type OnBackordersFilled } from '../../inventory/backorders';
import type { Tx } from '../../platform/database/transaction';
import type { Ctx } from '../context';

/** Who changes an order. The steps that apply input take it in place of the context of the request. */
export interface Editor extends OrderCredentials {
  now: () => Date;
  /** Updates the other orders whose backorders were filled by units taken off this one. */
  onBackordersFilled: OnBackordersFilled;
}

/** Builds the editor of one transaction: the caller of the use case. */
export function buildEditor(ctx: Ctx, tx: Tx): Editor {
  const { actor, orderToken, now } = ctx;
  return { actor, orderToken, now, onBackordersFilled: notifyOrders(ctx, tx) };
}
