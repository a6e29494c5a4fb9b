import type { Knex } from 'knex';

/** The distance between the ids of copies; the ids of the played-through store are smaller. */
const STEP = 1_000;

/**
 * The tables with the parts of an order, and which rows belong to the orders in `copied`. The columns named in `ids` are
 * ids of other copied rows.
 */
const PARTS: readonly { table: string; ids: readonly string[]; of: string }[] = [
  {
    table: 'addresses',
    ids: ['id'],
    of: 'r.id IN (SELECT unnest(ARRAY[bill_address_id, ship_address_id]) FROM orders JOIN copied USING (id))',
  },
  {
    table: 'credit_cards',
    ids: ['id'],
    of: 'r.id IN (SELECT credit_card_id FROM payments JOIN copied ON copied.id = payments.order_id)',
  },
  {
    table: 'orders',
    ids: ['id', 'bill_address_id', 'ship_address_id'],
    of: 'r.id IN (SELECT id FROM copied)',
  },
  { table: 'line_items', ids: ['id', 'order_id'], of: ofOrder() },
  { table: 'shipments', ids: ['id', 'order_id'], of: ofOrder() },
  { table: 'return_authorizations', ids: ['id', 'order_id'], of: ofOrder() },
  {
    table: 'inventory_units',
    ids: ['id', 'order_id', 'line_item_id', 'shipment_id', 'return_authorization_id'],
    of: ofOrder(),
  },
  {
    table: 'shipping_rates',
    ids: ['id', 'shipment_id'],
    of: 'r.shipment_id IN (SELECT shipments.id FROM shipments JOIN copied ON copied.id = shipments.order_id)',
  },
  { table: 'adjustments', ids: ['id', 'order_id', 'line_item_id', 'shipment_id'], of: ofOrder() },
  { table: 'payments', ids: ['id', 'order_id', 'credit_card_id'], of: ofOrder() },
  { table: 'payment_operations', ids: ['id', 'payment_id'], of: ofPayment() },
  { table: 'refunds', ids: ['id', 'payment_id', 'payment_operation_id'], of: ofPayment() },
  {
    table: 'refund_credits',
    ids: ['refund_id'],
    of: `r.refund_id IN (SELECT refunds.id FROM refunds JOIN payments ON payments.id = payment_id JOIN copied ON copied.id = payments.order_id)`,
  },
  {
    table: 'return_items',
    ids: ['id', 'return_authorization_id', 'line_item_id'],
    of: 'r.line_item_id IN (SELECT line_items.id FROM line_items JOIN copied ON copied.id = line_items.order_id)',
  },
  { table: 'documents', ids: ['id', 'order_id', 'refund_id'], of: ofOrder() },
  { table: 'book_entries', ids: ['id', 'order_id'], of: ofOrder() },
  { table: 'state_changes', ids: ['id', 'order_id', 'subject_id'], of: ofOrder() },
  { table: 'order_promotions', ids: ['order_id'], of: ofOrder() },
  {
    table: 'stock_movements',
    ids: ['id', 'originator_id'],
    of: `r.originator_type = 'Store::Shipment' AND r.originator_id IN (
           SELECT shipments.id FROM shipments JOIN copied ON copied.id = shipments.order_id)
         OR r.originator_type = 'Store::ReturnAuthorization' AND r.originator_id IN (
           SELECT returns.id FROM return_authorizations returns JOIN copied ON copied.id = returns.order_id)`,
  },
];

/** The number of a copied document within its series. */
const SEQUENCE = `(SELECT last_sequence FROM document_counters counter
   WHERE (counter.store_id, counter.kind, counter.series) = (r.store_id, r.kind, r.series))
  + row_number() OVER (PARTITION BY r.store_id, r.kind, r.series ORDER BY copy, r.id)`;

/** Columns whose values are unique, or depend on the copy. */
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  orders: {
    number: `'R' || 9000000000 + r.id + copy`,
    token_hash: `sha256(convert_to((r.id + copy)::text, 'UTF8'))`,
  },
  shipments: { number: `'H' || 9000000000 + r.id + copy` },
  return_authorizations: { number: `'RA' || 9000000000 + r.id + copy` },
  payments: { number: `'P' || 9000000000 + r.id + copy` },
  payment_operations: { idempotency_key: `r.idempotency_key || '-' || copy` },
  credit_cards: { is_default: 'false' },
  documents: {
    sequence: SEQUENCE,
    number: `r.series || lpad((${SEQUENCE})::text, 6, '0')`,
    snapshot: `jsonb_set(r.snapshot, '{order_number}', to_jsonb('R' || 9000000000 + r.order_id + copy))`,
  },
  adjustments: {
    source_id: `r.source_id + CASE r.source_type WHEN 'Store::ReturnAuthorization' THEN copy ELSE 0 END`,
  },
};

/** Sold orders whose copies are right by themselves: not limited in number, and no goods are owed. */
const COPIED = `
  CREATE TEMPORARY TABLE copied AS
  SELECT id FROM orders
   WHERE completed_at IS NOT NULL
     AND NOT EXISTS (SELECT FROM inventory_units units WHERE units.order_id = orders.id AND units.state = 'backordered')
     AND NOT EXISTS (SELECT FROM order_promotions JOIN promotions ON promotions.id = promotion_id
                      WHERE order_id = orders.id AND usage_limit IS NOT NULL)
     AND NOT EXISTS (SELECT FROM state_changes changes
                      WHERE changes.order_id = orders.id AND changes.reason LIKE 'rest of payment %')`;

function ofOrder(): string {
  return 'r.order_id IN (SELECT id FROM copied)';
}

function ofPayment(): string {
  return 'r.payment_id IN (SELECT payments.id FROM payments JOIN copied ON copied.id = payments.order_id)';
}

/**
 * Copies the sold orders of a small store with all their parts until it has about `total` orders. The stock that the
 * copies have sold was received. `db` must belong to a superuser, because the copies fire no triggers.
 */
export async function multiplyOrders(db: Knex, total: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.raw(`SET LOCAL session_replication_role = replica; ${COPIED}`);
    const { rows } = await tx.raw<{ rows: [{ orders: number }] }>(
      'SELECT count(*)::integer AS orders FROM copied',
    );
    const copies = Math.ceil(total / rows[0].orders);
    const { rows: last } = await tx.raw<{ rows: [{ id: number }] }>(
      'SELECT max(id) AS id FROM stock_movements',
    );
    for (const { table, ids, of } of PARTS) await copyRows(tx, { table, ids, of, copies });
    await tx.raw(
      `INSERT INTO stock_movements (stock_item_id, quantity, action)
       SELECT stock_item_id, -sum(quantity), 'received' FROM stock_movements
        WHERE id > ? AND counted GROUP BY stock_item_id HAVING sum(quantity) <> 0`,
      [last[0].id],
    );
    await tx.raw(
      `WITH received AS (
         UPDATE stock_items SET count_on_hand = count_on_hand + 100000
          WHERE deleted_at IS NULL AND count_on_hand >= 0 RETURNING id)
       INSERT INTO stock_movements (stock_item_id, quantity, action) SELECT id, 100000, 'received' FROM received`,
    );
    await tx.raw(`
      UPDATE document_counters counter SET last_sequence = (SELECT max(sequence) FROM documents d
       WHERE (d.store_id, d.kind, d.series) = (counter.store_id, counter.kind, counter.series));
      UPDATE documents d SET snapshot = jsonb_set(d.snapshot, '{invoice,number}', to_jsonb(invoice.number))
        FROM documents invoice
       WHERE invoice.order_id = d.order_id AND invoice.kind = 'invoice' AND d.snapshot #>> '{invoice,number}' <> invoice.number;
      DROP TABLE copied`);
  });
  await db.raw('ANALYZE');
}

async function copyRows(
  tx: Knex,
  { table, ids, of, copies }: { table: string; ids: readonly string[]; of: string; copies: number },
): Promise<void> {
  const columns = await tx<{ column_name: string; table_schema: string; table_name: string }>(
    'information_schema.columns',
  )
    .where({ table_schema: 'public', table_name: table })
    .pluck('column_name');
  const values = columns.map((column) => {
    const value = VALUES[table]?.[column] ?? `r."${column}"`;
    return ids.includes(column) ? `${value} + copy` : value;
  });
  await tx.raw(
    `INSERT INTO ${table} (${columns.map((column) => `"${column}"`).join(', ')})
     SELECT ${values.join(', ')}
       FROM ${table} AS r, generate_series(${STEP}, ${copies * STEP}, ${STEP}) AS copy
      WHERE ${of}`,
  );
  if (ids.includes('id'))
    await tx.raw(`SELECT setval(pg_get_serial_sequence(?, 'id'), (SELECT max(id) FROM ??))`, [table, table]);
}
