import { composeStatement, type BoundStatement } from '../../platform/database/prepared';
import { expectFew } from '../order/json-rows-sql';
import { buildUnitMove } from '../order/unit-moves.repository';
import type { LockedOrderGraph } from '../order/order-lock';
import type { OrderRecord, OrderTable } from './order-tables';

/** Builds the insert of records of one table. @param time of the change, for tables that show it */
export function buildInsert(table: OrderTable, records: readonly OrderRecord[], time: Date): BoundStatement {
  const { name, isTimed, columns, generates } = table;
  const names = Object.keys(columns);
  const timed = isTimed ? ['updated_at'] : [];
  const { name: statementName, sql } = composeStatement(
    `INSERT INTO ${name} (${[...timed, ...names].join(', ')})
     SELECT ${[...timed.map(() => 'CAST(? AS timestamptz)'), ...names].join(', ')}
       FROM ${selectRecords(table, names)} WHERE ${expectFew('r.id')}`,
  );
  return {
    statement: { name: statementName, sql, generates: [`${name}_pkey`, ...generates] },
    bindings: [...(isTimed ? [time] : []), serialize(records, names)],
  };
}

/**
 * Builds the updates of records of one table: one for each set of changed columns, because other statements of the
 * transaction may have written the others, and because triggers run for the columns that a statement names.
 */
export function buildUpdates(
  table: OrderTable,
  changes: readonly { record: OrderRecord; columns: readonly string[] }[],
  time: Date,
): BoundStatement[] {
  const groups = new Map<string, { columns: readonly string[]; records: OrderRecord[] }>();
  for (const { record, columns } of changes) {
    const place = columns.join();
    const group = groups.get(place) ?? { columns, records: [] };
    groups.set(place, group);
    group.records.push(record);
  }
  return [...groups.values()].map(({ columns, records }) => buildUpdate(table, columns, { records, time }));
}

function buildUpdate(
  table: OrderTable,
  columns: readonly string[],
  { records, time }: { records: readonly OrderRecord[]; time: Date },
): BoundStatement {
  const { name, key, isTimed } = table;
  const names = [...key, ...columns];
  const changes = columns.map((column) => `${column} = r.${column}`);
  const found = key.map((column) => `t.${column} = r.${column}`);
  return {
    statement: composeStatement(
      `UPDATE ${name} t SET ${[...(isTimed ? ['updated_at = ?'] : []), ...changes].join(', ')}
         FROM ${selectRecords(table, names)} WHERE ${[...found, expectFew('r.id')].join(' AND ')}`,
    ),
    bindings: [...(isTimed ? [time] : []), serialize(records, names)],
  };
}

/** Builds the deletion of records of one table, which may be deleted with others already. */
export function buildDelete({ name }: OrderTable, ids: readonly number[]): BoundStatement {
  return {
    statement: composeStatement(`DELETE FROM ${name} WHERE id = ANY(?::integer[])`),
    bindings: [[...ids]],
  };
}

const selectRecords = ({ columns }: OrderTable, names: readonly string[]): string =>
  `json_to_recordset(?::json) AS r(${names.map((column) => `${column} ${columns[column] ?? ''}`).join(', ')})`;

function serialize(records: readonly OrderRecord[], names: readonly string[]): string {
  return JSON.stringify(
    records.map((record) => Object.fromEntries(names.map((name) => [name, record[name]]))),
  );
}

/** Builds the insert of the units of new shipments. */
export function buildUnitsOfAdded(order: LockedOrderGraph, added: readonly OrderRecord[]): BoundStatement[] {
  const ids = new Set(added.map(({ id }) => id));
  const units = order.shipments.flatMap((shipment) => (ids.has(shipment.id) ? shipment.units : []));
  return units.length === 0 ? [] : [buildUnitMove(order, { added: units })];
}

const DELETE_REPLACED_ADDRESSES = {
  name: 'delete_replaced_addresses',
  sql: `DELETE FROM addresses WHERE id = ANY(?::integer[]) AND NOT EXISTS (
          SELECT FROM orders other WHERE other.bill_address_id = addresses.id
          UNION ALL SELECT FROM orders other WHERE other.ship_address_id = addresses.id
          UNION ALL SELECT FROM users WHERE bill_address_id = addresses.id
          UNION ALL SELECT FROM users WHERE ship_address_id = addresses.id)`,
};

/** Builds the deletion of replaced addresses, unless others refer to them. */
export function buildAddressDeletion(ids: readonly number[]): BoundStatement {
  return { statement: DELETE_REPLACED_ADDRESSES, bindings: [[...ids]] };
}
