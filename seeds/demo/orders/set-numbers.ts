import type { Knex } from 'knex';

/**
 * Sets the numbers of the shipments, payments and returns of a demo order. They are derived from the order number, so
 * that they are the same in every demo store and the examples of the reference can use them. Their format is that of
 * `sales/order/numbers.ts`. One statement; safe to repeat.
 */
export async function setNumbers(db: Knex, orderId: number): Promise<void> {
  await db.raw(
    `WITH demo_order AS (SELECT id, number, substr(number, 2) AS digits FROM orders WHERE id = :order),
     ranked_shipments AS (
       SELECT id, row_number() OVER (ORDER BY id) AS rank FROM shipments WHERE order_id = :order),
     ranked_payments AS (
       SELECT id, row_number() OVER (ORDER BY id) AS rank FROM payments WHERE order_id = :order),
     shipments_named AS (
       UPDATE shipments SET number = 'H' || demo_order.digits || lpad(CAST(rank AS text), 2, '0')
         FROM demo_order, ranked_shipments WHERE ranked_shipments.id = shipments.id),
     payments_named AS (
       UPDATE payments SET number = 'P' || upper(substr(md5(demo_order.number || rank), 1, 7))
         FROM demo_order, ranked_payments WHERE ranked_payments.id = payments.id)
     UPDATE return_authorizations SET number = 'RA' || demo_order.digits FROM demo_order WHERE order_id = demo_order.id`,
    { order: orderId },
  );
}
