import type { Ctx } from '../context';
import { findUserId } from '../../access/actor';
import { NotAuthorized } from '../../platform/errors';
import type { AddressGraph } from '../../geography/addresses/addresses.repository';
import type { AddressInput } from '../../geography/addresses/addresses.schema';
import { withUnprefixedErrors } from '../../platform/nested-errors';
import { applyInput } from '../order-input/apply-input';
import { buildEditor } from '../order-input/editor';
import { withOrderTransaction } from '../payment-processing/retry-after-payments';
import { getAuthorizedOrder } from '../order/order-access';
import { createDraft, saveDraft } from '../order-updater/order-draft';
import { loadOrderGraph } from '../order/load-order-graph';
import type { OrderGraph } from '../order/order-graph';
import { lockOrder } from '../order/order-lock';
import { authorizeOrderChange } from '../order/sold-order-policy';

/** An address in a path: the number of its order, and its id. */
export interface AddressPath {
  number: string;
  id: number;
}

type Kind = 'bill_address' | 'ship_address';

/** Returns an address of an order. @throws NotFound; NotAuthorized, also for an address of another order */
export async function getOrderAddress(ctx: Ctx, { number, id }: AddressPath): Promise<AddressGraph> {
  const order = await loadOrderGraph(ctx.db, (await getAuthorizedOrder(ctx, number)).id);
  return getOwnAddress(order, id).address;
}

/**
 * Changes an address of an order. A new destination restarts the checkout of an open order.
 * @throws NotFound; NotAuthorized, also for an address of another order; InvalidResource; TransitionRefused for
 *   shoppers when the order is complete
 */
export async function changeOrderAddress(
  ctx: Ctx,
  { number, id }: AddressPath,
  input: AddressInput,
): Promise<AddressGraph> {
  const cause = { user_id: findUserId(ctx.actor), reason: 'address update' };
  return withOrderTransaction(ctx, number, async (tx) => {
    const order = await lockOrder(tx, { number, credentials: ctx });
    const { kind } = getOwnAddress(order, id);
    const attributes = { [kind]: { ...input, id } };
    const before = createDraft(authorizeOrderChange(ctx.actor, order));
    const draft = await withUnprefixedErrors(kind, () =>
      applyInput(tx, before, { attributes, payment: null, cause }, buildEditor(ctx, tx)),
    );
    return getOwnAddress(await saveDraft(tx, draft), id).address;
  });
}

function getOwnAddress(order: OrderGraph, id: number): { kind: Kind; address: AddressGraph } {
  for (const kind of ['bill_address', 'ship_address'] as const) {
    const address = order[kind];
    if (address?.id === id) return { kind, address };
  }
  throw new NotAuthorized();
}
