import type { Tx } from '../../platform/database/transaction';
import { InvalidResource } from '../../platform/errors';
import { type Amount, multiply, negate, sum, sumOf, toAmount, toDecimal, ZERO } from '../../platform/money';
import type { AdjustmentRow, LineItemRow } from '../order/order-graph';
import type { OrderDraft } from '../order-updater/order-draft';
import { buildAdjustment } from '../pricing/new-adjustment';
import { findCarryingShipments, insertReturnFreights, sumReturnFreights } from './return-freights.repository';
import { updateReturnAuthorization } from './return-authorizations.repository';
import { storeReturnValues } from './return-items.repository';
import type { LockedReturn } from './return-lock';
import {
  addGoneCredits,
  calculateCredit,
  calculateReturnedValue,
  findCreditErrors,
  type CreditedOrder,
  type ReturnedFreight,
  type ReturnedLine,
  type ReturnedValue,
} from './return-rules';

/**
 * Credits a return that is being received: stores what its units and its freight are worth, and its amount.
 * @returns the draft with the adjustment of the order
 * @throws InvalidResource if its amount exceeds the order total
 */
export async function creditReturn(tx: Tx, draft: OrderDraft, locked: LockedReturn): Promise<OrderDraft> {
  const { order, authorization, units } = locked;
  const given = authorization.amount_is_explicit ? toAmount(authorization.amount) : null;
  const credited = {
    total: toAmount(order.total),
    taxes: {
      included_tax: toAmount(order.included_tax_total),
      additional_tax: toAmount(order.additional_tax_total),
    },
    is_returned: units.every(
      ({ state, return_authorization_id: id }) => state === 'returned' || id === authorization.id,
    ),
    currency: order.currency,
  };
  const errors = given === null ? null : findCreditErrors(given, credited);
  if (errors !== null) throw new InvalidResource(errors);
  const values = await storeValues(tx, locked);
  const freights = given === null ? [] : await loadFreights(tx, locked);
  const credit = calculateCredit(given, { values, freights }, credited);
  await updateReturnAuthorization(tx, authorization, { amount: toDecimal(credit.amount) });
  await insertReturnFreights(
    tx,
    authorization,
    credit.freights.map(({ shipment_id, ...value }) => ({ shipment_id, ...printValue(value) })),
  );
  const isCredit = [credit.amount, credit.included_tax, credit.additional_tax].some((part) => part !== ZERO);
  if (!isCredit && !isForgiven(order, credited)) return draft;
  const adjustment = buildAdjustment(draft.order, {
    line_item_id: null,
    shipment_id: null,
    source_type: 'Store::ReturnAuthorization',
    source_id: authorization.id,
    amount: toDecimal(negate(credit.amount)),
    included_tax: toDecimal(credit.included_tax),
    additional_tax: toDecimal(credit.additional_tax),
    label: 'RMA Credit',
    mandatory: true,
  });
  return { ...draft, order: { ...draft.order, adjustments: [...draft.order.adjustments, adjustment] } };
}

/** Whether all of an order has come back that adjustments of staff have made free, so that its books have to be closed. */
function isForgiven(
  { adjustments }: Pick<LockedReturn['order'], 'adjustments'>,
  { total, is_returned }: CreditedOrder,
): boolean {
  return is_returned && total === ZERO && adjustments.some(({ source_type }) => source_type === null);
}

function printValue({ amount, untaxed, included_tax, additional_tax }: ReturnedValue) {
  return {
    amount: toDecimal(amount),
    untaxed: toDecimal(untaxed),
    included_tax: toDecimal(included_tax),
    additional_tax: toDecimal(additional_tax),
  };
}

/** Loads the freight of the order, and what earlier returns have credited of it. */
async function loadFreights(
  tx: Tx,
  { order, authorization }: Pick<LockedReturn, 'order' | 'authorization'>,
): Promise<ReturnedFreight[]> {
  const carrying = new Set(await findCarryingShipments(tx, authorization));
  const earlier = new Map(
    (await sumReturnFreights(tx, order.id)).map((freight) => [freight.shipment_id, freight]),
  );
  const readEarlier = (id: number | null): ReturnedValue => ({
    amount: toAmount(earlier.get(id)?.amount ?? '0'),
    untaxed: toAmount(earlier.get(id)?.untaxed ?? '0'),
    included_tax: toAmount(earlier.get(id)?.included_tax ?? '0'),
    additional_tax: toAmount(earlier.get(id)?.additional_tax ?? '0'),
  });
  const freights = order.shipments.map(({ id, cost, ...shipment }) => ({
    shipment_id: id,
    totals: {
      amount: sum(toAmount(cost), toAmount(shipment.adjustment_total)),
      untaxed: sumUntaxed(order.adjustments.filter(({ shipment_id }) => shipment_id === id)),
      included_tax: toAmount(shipment.included_tax_total),
      additional_tax: toAmount(shipment.additional_tax_total),
    },
    earlier: readEarlier(id),
    carried_units: carrying.has(id),
  }));
  return addGoneCredits(freights, readEarlier(null), order.currency);
}

/** Adds up the adjustments without tax of a line item or shipment. */
function sumUntaxed(adjustments: readonly AdjustmentRow[]): Amount {
  const untaxed = adjustments.filter(
    ({ source_type, eligible, included, taxed }) => source_type === null && eligible && !included && !taxed,
  );
  return sumOf(untaxed, ({ amount }) => toAmount(amount));
}

/** A line item of the order with its units on this return and on earlier ones. */
function buildReturnedLine(
  line: LineItemRow,
  returning: number,
  { order, items }: Pick<LockedReturn, 'order' | 'items'>,
): ReturnedLine {
  return {
    price: toAmount(line.price),
    quantity: line.quantity,
    totals: {
      amount: sum(multiply(toAmount(line.price), line.quantity), toAmount(line.adjustment_total)),
      untaxed: sumUntaxed(order.adjustments.filter(({ line_item_id }) => line_item_id === line.id)),
      included_tax: toAmount(line.included_tax_total),
      additional_tax: toAmount(line.additional_tax_total),
    },
    earlier: items
      .filter(({ line_item_id, amount }) => line_item_id === line.id && amount !== null)
      .map(({ quantity, ...item }) => ({
        quantity,
        price: toAmount(item.price ?? '0'),
        amount: toAmount(item.amount ?? '0'),
        untaxed: toAmount(item.untaxed ?? '0'),
        included_tax: toAmount(item.included_tax ?? '0'),
        additional_tax: toAmount(item.additional_tax ?? '0'),
      })),
    returning,
  };
}

/** Stores what the units of a return are worth. @returns the values */
async function storeValues(
  tx: Tx,
  { order, authorization, items }: Pick<LockedReturn, 'order' | 'authorization' | 'items'>,
): Promise<ReturnedValue[]> {
  const valued = items.flatMap(({ id, return_authorization_id, line_item_id, quantity }) => {
    const line = order.line_items.find((one) => one.id === line_item_id);
    if (return_authorization_id !== authorization.id || line === undefined) return [];
    const value = calculateReturnedValue(buildReturnedLine(line, quantity, { order, items }), order.currency);
    return [{ id, price: line.price, value }];
  });
  await storeReturnValues(
    tx,
    authorization,
    valued.map(({ id, price, value }) => ({ id, price, ...printValue(value) })),
  );
  return valued.map(({ value }) => value);
}
