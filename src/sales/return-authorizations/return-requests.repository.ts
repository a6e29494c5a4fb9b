import type { Db } from '../../platform/database/knex';
import type { Tx } from '../../platform/database/transaction';

/** A part of what a customer wants to return. */
export interface RequestedItem {
  return_authorization_id: number;
  line_item_id: number;
  variant_id: number;
  quantity: number;
  reason_id: number;
}

/** Returns the items of these returns that customers requested, by return and id. */
export async function findRequestedItems(db: Db, returns: readonly number[]): Promise<RequestedItem[]> {
  if (returns.length === 0) return [];
  return db('return_request_items as item')
    .join('line_items', 'line_items.id', 'item.line_item_id')
    .whereIn('item.return_authorization_id', [...returns])
    .orderBy(['item.return_authorization_id', 'item.id'])
    .select<RequestedItem[]>(
      'item.return_authorization_id',
      'item.line_item_id',
      'line_items.variant_id',
      'item.quantity',
      'item.return_authorization_reason_id as reason_id',
    );
}

/** Inserts the items of a requested return. */
export async function insertRequestedItems(
  tx: Tx,
  { id }: { id: number },
  items: readonly Pick<RequestedItem, 'line_item_id' | 'quantity' | 'reason_id'>[],
): Promise<void> {
  await tx('return_request_items').insert(
    items.map(({ line_item_id, quantity, reason_id }) => ({
      return_authorization_id: id,
      line_item_id,
      quantity,
      return_authorization_reason_id: reason_id,
    })),
  );
}

/** Units of a line item that a customer may ask to return, and where they shipped from last. */
export interface ReturnableLine {
  line_item_id: number;
  variant_id: number;
  quantity: number;
  stock_location_id: number;
}

/**
 * Returns the units of an order that have shipped since a time, are on no return and in no undecided request, by line
 * item. Lines without such units are omitted.
 */
export async function findReturnableLines(db: Db, orderId: number, since: Date): Promise<ReturnableLine[]> {
  const { rows } = await db.raw<{ rows: ReturnableLine[] }>(
    `SELECT * FROM (
       SELECT u.line_item_id, u.variant_id,
              count(*)::integer - coalesce((
                SELECT sum(item.quantity) FROM return_request_items item
                  JOIN return_authorizations r ON r.id = item.return_authorization_id AND r.state = 'requested'
                 WHERE item.line_item_id = u.line_item_id), 0)::integer AS quantity,
              (array_agg(s.stock_location_id ORDER BY s.id DESC))[1] AS stock_location_id
         FROM inventory_units u JOIN shipments s ON s.id = u.shipment_id
        WHERE u.order_id = :order AND u.state = 'shipped' AND u.return_authorization_id IS NULL
          AND u.line_item_id IS NOT NULL AND coalesce(s.shipped_at, s.unit_shipped_at) >= :since
        GROUP BY u.line_item_id, u.variant_id) AS line
      WHERE quantity > 0 ORDER BY line_item_id`,
    { order: orderId, since },
  );
  return rows;
}

/** Returns how many days after the dispatch customers may request a return; 0: never. */
export async function findReturnDays(db: Db): Promise<number> {
  const store = await db('stores')
    .where({ is_default: true })
    .first<{ return_days: number } | undefined>('return_days');
  return store?.return_days ?? 0;
}
