import type { Db } from '../../platform/database/knex';
import type { BoundStatement } from '../../platform/database/prepared';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { OrderGraph } from './order-graph';
import {
  buildSoldContents,
  listContentChanges,
  type ContentChange,
  type SoldContents,
} from './sold-contents';
import type { Cause } from './state-changes.repository';

/*
 * The history of what was sold. Saving a sold order (save-order.ts) stores what differs from the order as it was locked, so
 * no use case can omit the history.
 */

const INSERT_CHANGES = {
  name: 'insert_order_changes',
  sql: `INSERT INTO order_changes (order_id, subject_type, subject_id, label, changes, user_id, reason)
     SELECT ?::integer, c.subject_type, c.subject_id, coalesce(c.label, nullif(v.sku, '')), c.changes, ?::integer, ?
       FROM ROWS FROM (json_to_recordset(?::json) AS (subject_type text, subject_id integer, label text,
              variant_id integer, changes jsonb)) WITH ORDINALITY
              AS c (subject_type, subject_id, label, variant_id, changes, place)
       LEFT JOIN variants v ON v.id = c.variant_id
      ORDER BY c.place`,
};

/**
 * Builds the insert of what differs between a sold order as it was locked, or as it was saved last, and a change of it, with
 * before and after. Null without differences, and if the order was not complete. Expects all its records.
 */
export function buildOrderChangesInsert(
  locked: OrderGraph,
  order: OrderGraph,
  cause: Cause | null,
): BoundStatement | null {
  if (locked.completed_at === null || locked === order) return null;
  const before = buildSoldContents(locked);
  const changes = listContentChanges(before, buildSoldContents(order));
  if (changes.length === 0) return null;
  if (cause === null) throw new Error(`a change of the sold order ${order.number} has no cause`);
  return {
    statement: INSERT_CHANGES,
    bindings: [
      order.id,
      cause.user_id,
      cause.reason,
      JSON.stringify(changes.map((change) => addVariant(change, order, before))),
    ],
  };
}

/** Adds the variant of a line item, whose SKU is its label. */
function addVariant(change: ContentChange, order: OrderGraph, before: SoldContents) {
  if (change.subject_type !== 'line_item') return change;
  const line = order.line_items.find(({ id }) => id === change.subject_id);
  const variant_id =
    line?.variant_id ?? before.get(`line_item ${change.subject_id}`)?.values['variant_id'] ?? null;
  return { ...change, variant_id };
}

/** A stored change, with the e-mail of its user. */
export interface OrderChangeRow extends ContentChange {
  id: number;
  user_id: number | null;
  user_email: string | null;
  reason: string;
  created_at: Date;
}

/** Returns one page of the changes of a sold order, oldest first, and the number of all. `q` does not apply. */
export async function findOrderChanges(
  db: Db,
  orderId: number,
  { page, per_page }: Pick<ListQuery, 'page' | 'per_page'>,
): Promise<{ rows: OrderChangeRow[]; total: number }> {
  const ofOrder = db('order_changes').where('order_changes.order_id', orderId);
  const rows = await ofOrder
    .clone()
    .leftJoin('users', 'users.id', 'order_changes.user_id')
    .orderBy('order_changes.id')
    .limit(per_page)
    .offset((page - 1) * per_page)
    .select<OrderChangeRow[]>('order_changes.*', 'users.email as user_email');
  const counted = await ofOrder.count<{ count: string }[]>({ count: '*' });
  return { rows, total: Number(counted[0]?.count ?? 0) };
}
