import type { OrderCredentials } from '../../access/context';
import { notifyOrders, type OnBackordersFilled } from '../../inventory/backorders';
import type { Tx } from '../../platform/database/transaction';
import type { Ctx } from '../context';

/** What the steps that apply input to an order know of the request. They take it instead of `Ctx`. */
export interface Editor extends OrderCredentials {
  now: () => Date;
  /** The key that order tokens are derived from. */
  secret: Buffer;
  /** Updates other orders whose backorders were filled by restocked units of this one. */
  onBackordersFilled: OnBackordersFilled;
}

/** Builds the editor for one transaction from the context of the request. */
export function buildEditor(ctx: Ctx, tx: Tx): Editor {
  const { actor, orderToken, now, secret } = ctx;
  return { actor, orderToken, now, secret, onBackordersFilled: notifyOrders(ctx, tx) };
}
