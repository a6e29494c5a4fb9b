import { takeIds } from '../../platform/database/reserved-ids';
import type { Tx } from '../../platform/database/transaction';
import type { OrderGraph } from '../order/order-graph';
import type { UnitMove } from '../order/unit-moves.repository';
import type { StateChange } from '../order/state-changes.repository';
import { ORDER_TABLES } from './order-tables';

/**
 * Takes stored ids for the new records of an order, which have ids of `newId`. Usually no statement.
 * @returns a function that replaces them, everywhere in the order and in its history
 */
export async function takeStoredIds(tx: Tx, order: OrderGraph): Promise<StoredIds> {
  const added = new Map(
    ORDER_TABLES.flatMap(({ name, select }) => {
      const ids = select(order).flatMap(({ id }) => (id < 0 ? id : []));
      return ids.length === 0 ? [] : [[name, ids] as const];
    }),
  );
  if (added.size === 0) return NO_IDS;
  const taken = await takeIds(tx, new Map([...added].map(([name, ids]) => [name, ids.length])));
  const stored = new Map<number, number>();
  for (const [name, ids] of added) {
    for (const [place, id] of ids.entries()) {
      const storedId = taken.get(name)?.[place];
      if (storedId === undefined) throw new Error(`no id was reserved for a new row of ${name}`);
      stored.set(id, storedId);
    }
  }
  return {
    replace: (known) => replaceIn(known, stored),
    replaceInHistory: (changes) =>
      changes.map((change) => ({
        ...change,
        subject_id: stored.get(change.subject_id) ?? change.subject_id,
      })),
    replaceInMove: (move) =>
      'added' in move ? { added: move.added.map((units) => replaceIds(units, stored)) } : move,
  };
}

const NO_IDS: StoredIds = {
  replace: (known) => known,
  replaceInHistory: (changes) => changes,
  replaceInMove: (move) => move,
};

export interface StoredIds {
  replace: <Order extends OrderGraph>(order: Order) => Order;
  replaceInHistory: (changes: readonly StateChange[]) => readonly StateChange[];
  replaceInMove: (move: UnitMove) => UnitMove;
}

/** The columns with ids of records of an order. */
const ID_COLUMNS = ['id', 'line_item_id', 'shipment_id', 'credit_card_id', 'authorized_payment_id'] as const;

type Ids = Partial<Record<(typeof ID_COLUMNS)[number], number | null>>;

function replaceIds<Record extends Ids>(record: Record, stored: ReadonlyMap<number, number>): Record {
  const ids = ID_COLUMNS.filter((column) => (record[column] ?? 0) < 0);
  if (ids.length === 0) return record;
  const replaced = ids.map((column) => [column, stored.get(record[column] ?? 0) ?? record[column]] as const);
  return { ...record, ...Object.fromEntries(replaced) };
}

function replaceIn<Order extends OrderGraph>(order: Order, stored: ReadonlyMap<number, number>): Order {
  const getStored = (id: number | null): number | null => (id === null ? null : (stored.get(id) ?? id));
  const replace = <Record extends Ids>(record: Record): Record => replaceIds(record, stored);
  return {
    ...order,
    bill_address_id: getStored(order.bill_address_id),
    ship_address_id: getStored(order.ship_address_id),
    bill_address: order.bill_address === null ? null : replace(order.bill_address),
    ship_address: order.ship_address === null ? null : replace(order.ship_address),
    line_items: order.line_items.map(replace),
    shipments: order.shipments.map((shipment) => {
      const { id, units, rates } = shipment;
      const isStored = id > 0 && units.every((unit) => (unit.line_item_id ?? 0) >= 0);
      if (isStored && rates.every((rate) => rate.id > 0)) return shipment;
      return { ...replace(shipment), units: units.map(replace), rates: rates.map(replace) };
    }),
    payments: order.payments.map((payment) => {
      const { card, refunds } = payment;
      if (payment.id > 0 && refunds.every((refund) => refund.id > 0)) return payment;
      return {
        ...replace(payment),
        card: card === null ? null : replace(card),
        refunds: refunds.map(replace),
      };
    }),
    adjustments: order.adjustments.map(replace),
  };
}
