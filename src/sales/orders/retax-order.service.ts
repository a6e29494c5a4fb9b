import { findUserId } from '../../access/actor';
import { withFacts } from '../../platform/database/facts';
import type { Tx } from '../../platform/database/transaction';
import { InvalidResource } from '../../platform/errors';
import { type Amount, subtract, sum, toAmount, toDecimal } from '../../platform/money';
import type { Ctx } from '../context';
import { findReleasedFreights, replaceReleasedTaxes } from '../fulfilment/released-freights.repository';
import type { OrderGraph } from '../order/order-graph';
import { lockOrder, type LockedOrderGraph } from '../order/order-lock';
import { TAX_SOURCE } from '../order/order-totals';
import { authorizeOrderChange, rejectCanceled } from '../order/sold-order-policy';
import { createDraft, saveDraft } from '../order-updater/order-draft';
import { recalculate } from '../order-updater/recalculate-order';
import { withOrderTransaction } from '../payment-processing/retry-after-payments';
import { buildFreightTaxes } from '../pricing/order-taxes';
import { PRICING_FACTS } from '../pricing/pricing-facts';
import { retaxAdjustments } from '../pricing/retax';
import { recordRetaxedSale } from './retaxed-sale.repository';

type TaxedAmount = 'included_tax_total' | 'additional_tax_total' | 'tax_total' | 'adjustment_total' | 'total';

/** The amounts of an order that its taxes change; by default as decimal strings. */
export type TaxedAmounts<Value = string> = Record<TaxedAmount, Value>;

/** What taxing an order anew changes. */
export interface Retaxing {
  before: TaxedAmounts;
  after: TaxedAmounts;
  difference: TaxedAmounts;
}

/**
 * Taxes a complete order anew, by its present address and the rates of today: its line items, and the freight that has
 * not shipped. With `isDryRun` nothing is written.
 * @throws NotFound, NotAuthorized; InvalidResource unless the order is complete, without returned units and without
 *   imported taxes of the whole order
 */
export async function retaxOrder(
  ctx: Ctx,
  number: string,
  { isDryRun }: { isDryRun: boolean },
): Promise<{ order: OrderGraph; retaxing: Retaxing }> {
  const cause = { user_id: findUserId(ctx.actor), reason: 'order retax' };
  return withOrderTransaction(ctx, number, async (tx) => {
    const order = authorizeOrderChange(ctx.actor, await lockOrder(tx, { number, credentials: ctx }));
    rejectUntaxable(order);
    const draft = createDraft(order);
    const changed = await withFacts(tx, PRICING_FACTS, (facts) => {
      const retaxed = { ...order, adjustments: retaxAdjustments(facts, order) };
      return recalculate(facts, { ...draft, order: retaxed }, cause);
    });
    const retaxing = compareAmounts(order, changed.order);
    if (isDryRun) return { order, retaxing };
    await retaxReleasedFreights(tx, order);
    const saved = await saveDraft(tx, changed);
    recordRetaxedSale(tx, order);
    return { order: saved, retaxing };
  });
}

/** Taxes the freight anew that a next shipment takes over. */
async function retaxReleasedFreights(tx: Tx, order: LockedOrderGraph): Promise<void> {
  for (const { id, taxable, shipping_method_id } of await findReleasedFreights(tx, order.id)) {
    const freight = { amount: toAmount(taxable), shipping_method_id };
    const due = await withFacts(tx, PRICING_FACTS, (facts) => buildFreightTaxes(facts, order, freight));
    const taxes = due.map(({ amount, ...tax }) => ({
      ...tax,
      source_type: TAX_SOURCE,
      amount: toDecimal(amount),
    }));
    await replaceReleasedTaxes(tx, order, { id, taxes });
  }
}

/** Rejects an order whose taxes belong to more than what it consists of now. @throws InvalidResource */
function rejectUntaxable(order: LockedOrderGraph): void {
  rejectCanceled(order);
  const refuse = (message: string): never => {
    throw new InvalidResource({ base: [message] });
  };
  if (order.completed_at === null) refuse('The order is not complete');
  if (order.shipments.some(({ units }) => units.some(({ state }) => state === 'returned'))) {
    refuse('Units of the order were returned with the taxes that they were sold with');
  }
  const isOfOrder = order.adjustments.some(
    ({ source_type, line_item_id, shipment_id }) =>
      source_type === TAX_SOURCE && line_item_id === null && shipment_id === null,
  );
  if (isOfOrder) refuse('The order has taxes that belong to no line item or shipment');
}

function compareAmounts(one: OrderGraph, other: OrderGraph): Retaxing {
  const [before, after] = [listAmounts(one), listAmounts(other)];
  return {
    before: mapAmounts((name) => toDecimal(before[name])),
    after: mapAmounts((name) => toDecimal(after[name])),
    difference: mapAmounts((name) => toDecimal(subtract(after[name], before[name]))),
  };
}

function listAmounts(order: OrderGraph): TaxedAmounts<Amount> {
  const included = toAmount(order.included_tax_total);
  const additional = toAmount(order.additional_tax_total);
  return {
    included_tax_total: included,
    additional_tax_total: additional,
    tax_total: sum(included, additional),
    adjustment_total: toAmount(order.adjustment_total),
    total: toAmount(order.total),
  };
}

function mapAmounts(amountOf: (name: TaxedAmount) => string): TaxedAmounts {
  return {
    included_tax_total: amountOf('included_tax_total'),
    additional_tax_total: amountOf('additional_tax_total'),
    tax_total: amountOf('tax_total'),
    adjustment_total: amountOf('adjustment_total'),
    total: amountOf('total'),
  };
}
