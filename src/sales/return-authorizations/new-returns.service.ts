import { findUserId, hasScope } from '../../access/actor';
import type { Tx } from '../../platform/database/transaction';
import { InvalidResource, NotAuthorized } from '../../platform/errors';
import { withPrefixedErrors } from '../../errors/constraint-errors';
import type { Ctx } from '../context';
import type { PlacedChange } from '../../inventory/stock-ledger';
import { buildEditor } from '../order-input/editor';
import { lockOrder, type LockedOrder } from '../order/order-lock';
import { insertStateChanges } from '../order/state-changes.repository';
import { callAndRecord } from '../payment-processing/process-operation';
import { withTransactionAfterPayments } from '../payment-processing/retry-after-payments';
import { startRefund, type StartedRefund } from './refund-return';
import { findReferences, normalizeAmount, NO_AMOUNT } from './return-attributes';
import { insertReturnAuthorization, type ReturnAuthorizationRow } from './return-authorizations.repository';
import type { NewReturn, ReturnAuthorizationAttributes } from './return-authorizations.schema';
import { buildStateChange, performOnReturn } from './return-events';
import { lockReturn } from './return-lock';
import { findShownItems } from './return-items.repository';
import { findNewReturnErrors } from './return-rules';
import { tallyUnits } from './returned-units.repository';

/** A refund that a return has caused, and what the gateway replied. */
export interface ReturnRefund {
  payment_id: number;
  amount: string;
  approved: boolean;
  /** What the gateway says of a refund that it declined; else null. */
  message: string | null;
}

/** A new return; `refunds` if it was to be refunded. */
export interface CreatedReturn {
  authorization: ReturnAuthorizationRow;
  refunds?: ReturnRefund[];
}

/**
 * Creates a return authorization; with `items`, `receive` and `refund` also adds its items, receives it and refunds what
 * it credits. All of it is one transaction, and the gateway calls follow its commit: a refund that is declined leaves
 * the return received and the order owing the money. Locks the order, with `receive` also those whose backorders the
 * units may fill.
 * @throws NotFound; NotAuthorized also for `refund` without the scope of payments; InvalidResource if no unit has
 *   shipped, the reason or location is missing, or a step is refused; Unavailable when a gateway does not respond: the
 *   settling job continues
 */
export async function createReturnAuthorization(
  ctx: Ctx,
  number: string,
  { attributes, ...steps }: NewReturn,
): Promise<CreatedReturn> {
  if (steps.refund && !hasScope(ctx.actor, 'payments:write')) throw new NotAuthorized();
  checkSteps(steps);
  const key = { number, credentials: ctx };
  const { authorization, refunds } = await withTransactionAfterPayments(ctx, async (tx) => {
    const restocks = () => estimateRestock({ attributes, items: steps.items });
    const order = await lockOrder(tx, key, steps.receive ? { restocks } : {});
    const created = await insertReturn(tx, ctx, order, attributes);
    const performed = await performSteps(tx, ctx, { number, created }, steps);
    const received = { ...performed, items: await findShownItems(tx, [created.id]), requested_items: [] };
    if (!steps.refund) return { authorization: received, refunds: null };
    const credited = await lockOrder(tx, key);
    const refunds = await startRefund(tx, credited, received, ctx.actor);
    return { authorization: received, refunds };
  });
  return refunds === null ? { authorization } : { authorization, refunds: await callGateways(ctx, refunds) };
}

type Steps = Omit<NewReturn, 'attributes'>;

function checkSteps({ items, receive, refund }: Steps): void {
  if (refund && !receive) throw new InvalidResource({ refund: ['needs receive'] });
  if (receive && items.length === 0) throw new InvalidResource({ items: ["can't be blank"] });
  const ids = items.map(({ variant_id }) => variant_id);
  if (new Set(ids).size < ids.length) throw new InvalidResource({ 'items.variant_id': ['is listed twice'] });
}

/** Estimates what a return restocks that is received at once. */
function estimateRestock({ attributes, items }: Pick<NewReturn, 'attributes' | 'items'>): PlacedChange[] {
  const { stock_location_id } = attributes;
  if (stock_location_id == null) return [];
  const originator = { type: 'Store::ReturnAuthorization' as const, id: 0 };
  const restocked = items.filter(({ restock }) => restock !== false);
  return restocked.map(({ variant_id, quantity }) => ({
    variant_id,
    quantity: quantity ?? 1,
    stock_location_id,
    action: 'returned',
    originator,
  }));
}

async function insertReturn(
  tx: Tx,
  ctx: Ctx,
  order: LockedOrder,
  attributes: ReturnAuthorizationAttributes,
): Promise<ReturnAuthorizationRow> {
  const { stock_location_id, return_authorization_reason_id } = attributes;
  const references = await findReferences(tx, { stock_location_id, return_authorization_reason_id });
  const units = await tallyUnits(tx, order.id);
  const errors = findNewReturnErrors({
    has_shipped_units: units.some(({ state }) => state === 'shipped'),
    has_reason: references.return_authorization_reason_id !== null,
    has_stock_location: references.stock_location_id !== null,
  });
  const { stock_location_id: location, return_authorization_reason_id: reason } = references;
  if (errors !== null || location === null || reason === null) throw new InvalidResource(errors ?? {});
  const row = await insertReturnAuthorization(tx, order, {
    state: 'authorized',
    stock_location_id: location,
    return_authorization_reason_id: reason,
    ...NO_AMOUNT,
    ...normalizeAmount(attributes.amount, order.currency),
    memo: attributes.memo ?? null,
    customer_memo: null,
    decline_reason: null,
  });
  const cause = { user_id: findUserId(ctx.actor), reason: 'return authorization create' };
  await insertStateChanges(tx, [buildStateChange({ ...row, state: null }, row.state, cause)]);
  return row;
}

/** Adds the items and receives them. Each step reads the return again, because the one before has changed the order. */
async function performSteps(
  tx: Tx,
  ctx: Ctx,
  { number, created }: { number: string; created: ReturnAuthorizationRow },
  { items, receive }: Steps,
): Promise<ReturnAuthorizationRow> {
  const path = { number, id: { id: created.id, name: created.number } };
  const editor = buildEditor(ctx, tx);
  let current = created;
  for (const { variant_id, quantity, restock } of items) {
    const locked = await lockReturn(tx, ctx, path, { receives: false });
    const added = { variant_id, quantity: quantity ?? 1, restock: restock ?? true };
    current = await withPrefixedErrors('items', () =>
      performOnReturn(tx, editor, locked, { event: 'add', items: added }),
    );
  }
  if (!receive) return current;
  const locked = await lockReturn(tx, ctx, path, { receives: false });
  return performOnReturn(tx, editor, locked, { event: 'receive' });
}

async function callGateways(ctx: Ctx, started: readonly StartedRefund[]): Promise<ReturnRefund[]> {
  const refunds: ReturnRefund[] = [];
  for (const { payment_id, amount, request } of started) {
    const outcome = request === null ? null : (await callAndRecord(ctx, request)).outcome;
    const message = outcome === null || outcome.approved ? null : outcome.message;
    refunds.push({ payment_id, amount, approved: outcome?.approved ?? true, message });
  }
  return refunds;
}
