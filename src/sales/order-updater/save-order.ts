import { isDeepStrictEqual } from 'node:util';
import type { BoundStatement } from '../../platform/database/prepared';
import { sendAll, type Tx } from '../../platform/database/transaction';
import { isSameValue } from '../order/column-values';
import { buildOrderChangesInsert } from '../order/order-changes.repository';
import { listOrderEvents } from '../order/order-events';
import { buildEventNote } from '../order/order-events.repository';
import type { OrderGraph } from '../order/order-graph';
import type { LockedOrderGraph } from '../order/order-lock';
import { buildOrderUpdate, listChangedColumns } from '../order/orders.repository';
import { buildUnitMove, type UnitMove } from '../order/unit-moves.repository';
import { buildPromotionWrites } from '../pricing/order-promotions.repository';
import { buildHistoryInsert, type Cause, type StateChange } from '../order/state-changes.repository';
import { ORDER_TABLES, type OrderRecord, type OrderTable } from './order-tables';
import { takeStoredIds } from './stored-ids';
import {
  buildAddressDeletion,
  buildDelete,
  buildInsert,
  buildUnitsOfAdded,
  buildUpdates,
} from './order-tables-sql';

/*
 * The writer of orders: it compares an order as it was read with the order as it should be, table by table, and sends
 * the differences. Everything is known before it is written: ids are reserved, and the time of the change is when the
 * order was read. So nothing waits for these statements; COMMIT confirms them.
 */

/** What is stored together with an order. */
export interface Change {
  /**
   * The order as it was locked: what the history of a sold order compares with. Null: the transaction saves the order again,
   * which notes its events and its history.
   */
  locked: LockedOrderGraph | null;
  /** New records have ids of `newId`. */
  order: LockedOrderGraph;
  history: readonly StateChange[];
  /** Moves of units that exist, and units that shipments of `order` get, except new ones. `order` counts them as moved. */
  units: readonly UnitMove[];
  /** Movements of stock, which are no changes of the order. */
  stock: readonly BoundStatement[];
  /** Writes of other tables, which may refer to stored records of the order. */
  commands: readonly BoundStatement[];
  /** Statements that start calls of gateways. They are sent last, set `updated_at` of the order, and move its payments. */
  calls: readonly BoundStatement[];
  /** Null without changes. */
  cause: Cause | null;
}

/**
 * Sends what differs between an order as it was read and a change of it, with its history, and waits for none of it. The
 * order and its records must be locked, and stored as in `before`. Sends nothing without differences. Reserves ids first,
 * usually without a statement.
 * @returns the order as it will be stored, with the ids and times of what has changed; payments whose calls start are
 *   as they were before
 */
export async function saveOrder(tx: Tx, before: LockedOrderGraph, change: Change): Promise<LockedOrderGraph> {
  const ids = await takeStoredIds(tx, change.order);
  const after = ids.replace(change.order);
  const history = ids.replaceInHistory(change.history);
  const time = findTime(before);
  const differences = ORDER_TABLES.map((table) =>
    compareTable(table, before, { change: change.order, after }),
  );
  const columns = listChangedColumns(before, after);
  const commands = [...buildPromotionWrites(before, after), ...change.commands];
  const isChanged =
    // It was stored before, for a step that needed it.
    (change.locked !== null && change.locked !== before) ||
    history.length + change.units.length + commands.length + Object.keys(columns).length > 0 ||
    differences.some(({ added, updated, removed }) => added.length + updated.length + removed.length > 0);
  if (!isChanged) {
    sendAll(tx, [...change.stock, ...change.calls]);
    return after;
  }
  const changes = change.locked === null ? null : buildOrderChangesInsert(change.locked, after, change.cause);
  const events =
    change.locked === null
      ? []
      : listOrderEvents(
          { completed_at: change.locked.completed_at, payment_state: before.payment_state },
          after,
          history,
        );
  const updatesOrder = change.locked !== null || Object.keys(columns).length > 0;
  const timed = setTimes(after, { changed: listChanged(differences), time });
  const writes = [
    // Deletions free unique values, and the adjustments of a line item or shipment are deleted with it.
    ...differences.flatMap(buildDeletions),
    ...differences.flatMap((difference) => buildWrites(difference, { after, time })),
    ...change.units.map((move) => buildUnitMove(after, ids.replaceInMove(move))),
    ...change.stock,
    ...commands,
    ...(history.length > 0 ? [buildHistoryInsert(history)] : []),
    ...(changes === null ? [] : [changes]),
    ...(updatesOrder ? [buildOrderUpdate(after, columns, time)] : []),
    ...(events.length > 0 ? [buildEventNote({ ...timed, updated_at: time }, events)] : []),
    ...differences.flatMap(buildCleanUp),
    ...change.calls,
  ];
  sendAll(tx, writes);
  return updatesOrder ? { ...timed, updated_at: time } : timed;
}

/**
 * Returns the time of a change: when the order was read, and always after its last change. The transaction began before,
 * so that readers of a feed wait for it, and triggers keep a time that has passed.
 */
function findTime({ read_at, updated_at, shipments, payments, adjustments }: LockedOrderGraph): Date {
  const times = [...shipments, ...payments, ...adjustments].map((record) => record.updated_at.getTime());
  return new Date(Math.max(read_at.getTime(), updated_at.getTime() + 1, ...times.map((time) => time + 1)));
}

/** What differs in one table. */
interface Difference {
  table: OrderTable;
  added: readonly OrderRecord[];
  updated: readonly { record: OrderRecord; columns: readonly string[] }[];
  /** The ids of records that the order has lost and that are not deleted with another one. */
  removed: readonly number[];
}

/** @param after the changed order with stored ids */
function compareTable(
  table: OrderTable,
  before: OrderGraph,
  { change, after }: { change: OrderGraph; after: OrderGraph },
): Difference {
  const { columns, changing, touching, showing, select } = table;
  const [old, now] = [select(before), select(after)];
  if (old.length === 0 && now.length === 0) return { table, added: [], updated: [], removed: [] };
  const stored = new Map(old.map((record) => [record.id, record]));
  const places = select(change);
  const left = new Set(now.map(({ id }) => id));
  const showsOther = !isDeepStrictEqual(showing(before), showing(after));
  return {
    table,
    // The records of a change are in the same places as those with stored ids.
    added: now.filter((_record, place) => (places[place]?.id ?? 0) < 0),
    updated: now.flatMap((record) => {
      const known = stored.get(record.id);
      if (known === undefined || (known === record && !showsOther)) return [];
      const changed = changing.filter(
        (column) => !isSameValue(columns[column], known[column], record[column]),
      );
      const isTouched = touching.some((column) => known[column] !== record[column]);
      return changed.length > 0 || isTouched || showsOther ? [{ record, columns: changed }] : [];
    }),
    removed: old
      .filter((record) => !left.has(record.id) && !isDeletedWithOwner(record, after))
      .map(({ id }) => id),
  };
}

/** Whether a record belongs to a line item or a shipment that the order has lost. */
function isDeletedWithOwner(record: OrderRecord, { line_items, shipments }: OrderGraph): boolean {
  const { line_item_id = null, shipment_id = null } = record;
  return (
    (line_item_id !== null && !line_items.some(({ id }) => id === line_item_id)) ||
    (shipment_id !== null && !shipments.some(({ id }) => id === shipment_id))
  );
}

function buildDeletions({ table, removed }: Difference): BoundStatement[] {
  return table.ownedBy === 'order' && removed.length > 0 ? [buildDelete(table, removed)] : [];
}

function buildWrites(
  { table, added, updated }: Difference,
  { after, time }: { after: LockedOrderGraph; time: Date },
): BoundStatement[] {
  const first = updated.filter(({ record }) => table.isFirst(record));
  const others = updated.filter(({ record }) => !table.isFirst(record));
  return [
    ...buildUpdates(table, first, time),
    ...(added.length > 0 ? [buildInsert(table, added, time)] : []),
    ...(table.name === 'shipments' && added.length > 0 ? buildUnitsOfAdded(after, added) : []),
    ...buildUpdates(table, others, time),
  ];
}

/** Builds what the order no longer refers to once it is updated. */
function buildCleanUp({ table, removed }: Difference): BoundStatement[] {
  return table.name === 'addresses' && removed.length > 0 ? [buildAddressDeletion(removed)] : [];
}

function listChanged(differences: readonly Difference[]): ReadonlySet<object> {
  const timed = differences.filter(({ table }) => table.isTimed);
  return new Set(timed.flatMap(({ added, updated }) => [...added, ...updated.map(({ record }) => record)]));
}

/** Sets `updated_at` of the records that have changed. */
function setTimes(
  order: LockedOrderGraph,
  { changed, time }: { changed: ReadonlySet<object>; time: Date },
): LockedOrderGraph {
  if (changed.size === 0) return order;
  const setTime = <Record extends { updated_at: Date }>(record: Record): Record =>
    changed.has(record) ? { ...record, updated_at: time } : record;
  return {
    ...order,
    shipments: order.shipments.map(setTime),
    payments: order.payments.map(setTime),
    adjustments: order.adjustments.map(setTime),
  };
}
