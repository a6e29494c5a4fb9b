import type { BoundStatement } from '../../platform/database/prepared';
import type { Tx } from '../../platform/database/transaction';
import { InvalidResource } from '../../platform/errors';
import { type Amount, multiply, negate, sum, sumOf, toAmount, toDecimal, ZERO } from '../../platform/money';
import type { AdjustmentRow, LineItemRow } from '../order/order-graph';
import { buildAdjustment } from '../pricing/new-adjustment';
import {
  buildReturnFreights,
  findCarryingShipments,
  sumReturnFreights,
  type CreditedFreightRow,
} from './return-freights.repository';
import { buildReturnValues } from './return-items.repository';
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

/** What earlier returns of an order have credited of its freight, and which shipments carried the units of this one. */
export interface ReturnFreightFacts {
  credited: readonly CreditedFreightRow[];
  carrying: readonly number[];
}

/** Loads the freight of a return that is to be received; null unless its amount is given, which may be for freight, too. */
export async function loadFreightFacts(
  tx: Tx,
  { order, authorization }: LockedReturn,
): Promise<ReturnFreightFacts | null> {
  if (!authorization.amount_is_explicit) return null;
  const [carrying, credited] = [
    await findCarryingShipments(tx, authorization),
    await sumReturnFreights(tx, order.id),
  ];
  return { carrying, credited };
}

/** What a return credits. */
interface ReturnCredit {
  amount: string;
  /** Of the order; null if nothing is credited. */
  adjustment: AdjustmentRow | null;
  /** Store what its units and its freight are worth. */
  commands: BoundStatement[];
}

/** Credits a return that is being received. @throws InvalidResource if its amount exceeds the order total */
export function creditReturn(locked: LockedReturn, facts: ReturnFreightFacts | null): ReturnCredit {
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
  const items = valueItems(locked);
  const values = items.map(({ value }) => value);
  const freights = facts === null ? [] : listFreights(locked, facts);
  const credit = calculateCredit(given, { values, freights }, credited);
  const isCredit = [credit.amount, credit.included_tax, credit.additional_tax].some((part) => part !== ZERO);
  const adjustment = buildAdjustment(order, {
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
  const stored = credit.freights.map(({ shipment_id, ...value }) => ({ shipment_id, ...printValue(value) }));
  return {
    amount: toDecimal(credit.amount),
    adjustment: isCredit || isForgiven(order, credited) ? adjustment : null,
    commands: [
      buildReturnValues(
        authorization,
        items.map(({ id, price, value }) => ({ id, price, ...printValue(value) })),
      ),
      ...(stored.length > 0 ? [buildReturnFreights(authorization, stored)] : []),
    ],
  };
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

/** Lists the freight of the order, with what earlier returns have credited of it. */
function listFreights({ order }: LockedReturn, facts: ReturnFreightFacts): ReturnedFreight[] {
  const carrying = new Set(facts.carrying);
  const earlier = new Map(facts.credited.map((freight) => [freight.shipment_id, freight]));
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

/** Values the units of a return, by its items. */
function valueItems({
  order,
  authorization,
  items,
}: LockedReturn): { id: number; price: string; value: ReturnedValue }[] {
  return items.flatMap(({ id, return_authorization_id, line_item_id, quantity }) => {
    const line = order.line_items.find((one) => one.id === line_item_id);
    if (return_authorization_id !== authorization.id || line === undefined) return [];
    const value = calculateReturnedValue(buildReturnedLine(line, quantity, { order, items }), order.currency);
    return [{ id, price: line.price, value }];
  });
}
